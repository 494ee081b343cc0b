/** Of a list in one statement. */
const SOME = 50;

/** `(:id0, :id1, …)`, to be filled in by `inSome`. */
export const SOME_IDS = `(${Array.from({ length: SOME }, (_, at) => `:id${at}`).join(', ')})`;

export type SomeIds = Readonly<Record<string, string | number>>;

/** A list of ids, as many at a time as `SOME_IDS` takes; the last is repeated where there are fewer. */
export function* inSome(ids: readonly string[]): Generator<SomeIds> {
  for (let from = 0; from < ids.length; from += SOME) {
    const some = ids.slice(from, from + SOME);
    yield Object.fromEntries(Array.from({ length: SOME }, (_, at) => [`id${at}`, some[at] ?? some[0] ?? '']));
  }
}
