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

/** Duration for lists: `14 min`, `3 h`, `2 d`. */
export function short(seconds: number): string {
  const [size, unit] = STEPS.find(([step]) => Math.abs(seconds) >= step) ?? [1, 's'];
  return `${Math.floor(Math.abs(seconds) / size)} ${unit}`;
}

/** Duration for sentences: `14 minutes`, `1 hour`. */
export function long(seconds: number): string {
  const names = { y: 'year', mo: 'month', d: 'day', h: 'hour', min: 'minute', s: 'second' } as const;
  const [count = '0', unit = 's'] = short(seconds).split(' ') as [string, keyof typeof names];
  return `${count} ${names[unit]}${count === '1' ? '' : 's'}`;
}

type Formats = Readonly<Record<'exact' | 'day' | 'clock' | 'moment', Intl.DateTimeFormat>>;

const formatsIn = (timeZone: string | undefined): Formats => {
  const there = timeZone === undefined ? {} : { timeZone };
  // Local times show the UTC offset, which readers in other zones need.
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
    moment: new Intl.DateTimeFormat('en-GB', {
      ...there,
      ...({ day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
    }),
    clock: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...there, ...named }),
  };
};
const FORMATS: Readonly<Record<Zone, Formats>> = { utc: formatsIn('UTC'), local: formatsIn(undefined) };
const suffix = () => (zone() === 'utc' ? ' UTC' : '');
const format = (how: keyof Formats, time: string | number) => FORMATS[zone()][how].format(new Date(time));

/** Returns a time as `4 March 2026 at 14:02:10 UTC`. */
export const exact = (time: string | number): string => `${format('exact', time)}${suffix()}`;
/** Returns a date as `4 March 2026`. */
export const day = (time: string | number): string => format('day', time);
/** Returns a time as `04 Mar, 14:02:10`, for lists whose heading shows the time zone. */
export const moment = (time: string | number): string => format('moment', time);
/** Returns a time of day as `17:42 UTC`, with the date if it is not today. */
export function clock(time: string, now: number = Date.now()): string {
  const isToday = day(time) === day(now);
  return `${isToday ? '' : `${day(time)}, `}${format('clock', time)}${suffix()}`;
}

/** Seconds since a time; 0 if the time is in the future, because clocks differ. */
export const secondsSince = (time: string, now: number): number => Math.max(0, (now - Date.parse(time)) / 1000);
/** Seconds until a time; 0 if it has passed. */
export const secondsUntil = (time: string, now: number): number => Math.max(0, (Date.parse(time) - now) / 1000);
