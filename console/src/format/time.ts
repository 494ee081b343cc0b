const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  [365 * DAY, 'y'],
  [30 * DAY, 'mo'],
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [1, 's'],
] as const;

/** A length of time as lists have it: `14 min`, `3 h`, `2 d`. */
export function short(seconds: number): string {
  const [size, unit] = STEPS.find(([step]) => Math.abs(seconds) >= step) ?? [1, 's'];
  return `${Math.floor(Math.abs(seconds) / size)} ${unit}`;
}

/** As sentences have it: `14 minutes`, `1 hour`. */
export function long(seconds: number): string {
  const names = { y: 'year', mo: 'month', d: 'day', h: 'hour', min: 'minute', s: 'second' } as const;
  const [count = '0', unit = 's'] = short(seconds).split(' ') as [string, keyof typeof names];
  return `${count} ${names[unit]}${count === '1' ? '' : 's'}`;
}

const exactIn = (timeZone: string | undefined) =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    ...(timeZone && { timeZone }),
  });
const UTC = exactIn('UTC');
const DAY_ALONE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `4 March 2026 at 14:02:10 UTC` */
export const exact = (time: string | number): string => `${UTC.format(new Date(time))} UTC`;
/** `4 March 2026` */
export const day = (time: string | number): string => DAY_ALONE.format(new Date(time));
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone: 'UTC' },
});
/** `04 Mar, 14:02:10`: in lists of moments; in UTC, which their head says. */
export const moment = (time: string | number): string => MOMENT.format(new Date(time));
/** `17:42 UTC`; with its day where that is not today's. */
export function clock(time: string, now: number = Date.now()): string {
  const isToday = day(time) === day(now);
  return `${isToday ? '' : `${day(time)}, `}${CLOCK.format(new Date(time))} UTC`;
}

/** How long ago, in seconds; never less than none: clocks differ. */
export const secondsSince = (time: string, now: number): number => Math.max(0, (now - Date.parse(time)) / 1000);
