/** Minimum clock difference that is corrected, milliseconds. Smaller ones may come from network latency. */
const LEAST_MS = 30_000;

let offset = 0;

/** Learns the server's time from the `Date` header of a response. */
export function hearTime(date: string | null): void {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return;
  const difference = there - Date.now();
  offset = Math.abs(difference) < LEAST_MS ? 0 : difference;
}

/**
 * Current time of the server, milliseconds. The clock of this computer may be wrong, and all times in responses are the
 * server's.
 */
export const serverNow = (): number => Date.now() + offset;
