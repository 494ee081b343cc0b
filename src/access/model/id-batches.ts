/** Number of ids in one statement. */
const SOME = 50;

/** Placeholders `(:id0, :id1, …)`; `inSome` returns their values. */
export const SOME_IDS = `(${Array.from({ length: SOME }, (_, at) => `:id${at}`).join(', ')})`;

export type SomeIds = Readonly<Record<string, string | number>>;

/** Splits ids into parameter sets for `SOME_IDS`. Fills the last one with repetitions. */
export function* inSome(ids: readonly string[]): Generator<SomeIds> {
  for (let from = 0; from < ids.length; from += SOME) {
    const some = ids.slice(from, from + SOME);
    yield Object.fromEntries(Array.from({ length: SOME }, (_, at) => [`id${at}`, some[at] ?? some[0] ?? '']));
  }
}
