/** A difference that is worth to be told from the way of an answer, milliseconds. */
const LEAST_MS = 30_000;

let offset = 0;

/** Notes what time the server says it is. */
export function hearTime(date: string | null): void {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return;
  const difference = there - Date.now();
  offset = Math.abs(difference) < LEAST_MS ? 0 : difference;
}

/** The time by the clock of the server, which all its times are of: that of this machine may be off. */
export const serverNow = (): number => Date.now() + offset;
