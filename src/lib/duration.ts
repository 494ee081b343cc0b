const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
/**
 * About 290 years: the maximum of Go's `time.Duration`, which clients use.
 * @limit a duration in any field, seconds -> 400
 */
const MAX_SECONDS = 9_223_372_036;

export class DurationError extends Error {
  override readonly name = 'DurationError';
}

/**
 * Parses a duration to whole seconds. Accepts every form that clients send: a number of seconds, the number as text,
 * `90s`, `1h30m`, `1.5h`, `7d`. An empty text is 0.
 * @throws DurationError for anything else, negative values included
 */
export function parseSeconds(value: string | number): number {
  const seconds = typeof value === 'number' ? wholeNumber(value) : parseText(value.trim());
  if (seconds < 0) throw new DurationError(`cannot provide negative value '${seconds}'`);
  if (seconds > MAX_SECONDS) throw new DurationError('the duration is too long');
  return seconds;
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value)) throw new DurationError('a number of seconds must be whole');
  return value;
}

function parseText(text: string): number {
  if (text === '') return 0;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  const days = /^(\d{1,9})d$/.exec(text);
  if (days) return Number(days[1]) * 86_400;
  return parseUnits(text);
}

function parseUnits(text: string): number {
  const negative = text.startsWith('-');
  const body = text.replace(/^[+-]/, '');
  if (!/^(\d{1,15}(\.\d{1,9})?(ns|us|µs|ms|s|m|h))+$/.test(body)) {
    throw new DurationError('a duration is a number of seconds or a text such as 90s, 1h30m or 7d');
  }
  let seconds = 0;
  for (const [, number, unit] of body.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    seconds += Number(number) * (UNIT_SECONDS[unit as string] as number);
  }
  return Math.trunc(negative ? -seconds : seconds);
}

/** Formats seconds as `768h`, `1h30m` or `45s`, the format of warnings and settings. */
export function formatSeconds(total: number): string {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  const text = `${hours ? `${hours}h` : ''}${minutes ? `${minutes}m` : ''}${seconds ? `${seconds}s` : ''}`;
  return text === '' ? '0s' : text;
}
