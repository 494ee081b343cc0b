const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Returns a duration for people, in its largest unit: `12 min`. Less than a minute is in seconds. */
export function durationText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => milliseconds >= one) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(milliseconds / size))} ${unit}`;
}
