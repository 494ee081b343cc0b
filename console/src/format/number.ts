const NUMBER = new Intl.NumberFormat('en-GB');
const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a number: `1,204`. */
export const count = (value: number): string => NUMBER.format(value);

/** Formats a count with its noun: `1 workspace`, `148 workspaces`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Formats a size: `16.0 MiB`. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), UNITS.length - 1);
  return `${power === 0 ? count(value) : (value / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
