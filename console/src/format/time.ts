import { type Zone, zone } from './zone.ts';

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

type Formats = Readonly<Record<'exact' | 'day' | 'clock', Intl.DateTimeFormat>>;

const formatsIn = (timeZone: string | undefined): Formats => {
  const there = timeZone === undefined ? {} : { timeZone };
  // Of the computer's zone the offset is told, which is what others need.
  const named = timeZone === undefined ? ({ timeZoneName: 'shortOffset' } as const) : {};
  return {
    exact: new Intl.DateTimeFormat('en-GB', {
      ...there,
      ...named,
      ...({
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      } as const),
    }),
    day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', ...there }),
    clock: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...there, ...named }),
  };
};
const FORMATS: Readonly<Record<Zone, Formats>> = { utc: formatsIn('UTC'), local: formatsIn(undefined) };
const suffix = () => (zone() === 'utc' ? ' UTC' : '');
const format = (how: keyof Formats, time: string | number) => FORMATS[zone()][how].format(new Date(time));

/** `4 March 2026 at 14:02:10 UTC` */
export const exact = (time: string | number): string => `${format('exact', time)}${suffix()}`;
/** `4 March 2026` */
export const day = (time: string | number): string => format('day', time);
/** `17:42 UTC`; with its day where that is not today's. */
export function clock(time: string, now: number = Date.now()): string {
  const isToday = day(time) === day(now);
  return `${isToday ? '' : `${day(time)}, `}${format('clock', time)}${suffix()}`;
}

/** How long ago, in seconds; never less than none: clocks differ. */
export const secondsSince = (time: string, now: number): number => Math.max(0, (now - Date.parse(time)) / 1000);
