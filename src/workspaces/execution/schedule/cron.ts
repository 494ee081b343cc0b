import { Cron, CronPattern } from 'croner';
import { lruCache } from '../../../lib/lru-cache.ts';

/** A cron expression with five fields, and the IANA time zone of its times. */
export interface CronTimes {
  readonly cron: string;
  readonly timeZone: string;
}

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;
/** @limit shortest time between two times of a schedule, ms -> 422 */
const SHORTEST_INTERVAL = 15 * MINUTE;
/**
 * Time within which the first time of a schedule, and the one after it, must come. No later time is searched, because
 * the search of some expressions would take hundreds of years.
 * @limit time within which the next time of a schedule is searched, ms -> 422
 */
const LONGEST_WAIT = 10 * YEAR;
/**
 * Expressions whose next times are in memory.
 * @limit cron expressions whose next times are cached, expressions -> the times are computed again
 */
const KEPT = 1000;

const FIELDS = 5;
const FIELD = /^[0-9A-Za-z*,/#-]+$/;
/** Names of zones start with a letter; an offset such as `+02:00` has no daylight saving time. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** Returns why a text is not the name of a time zone; undefined if it is. */
export function timeZoneProblem(timeZone: string): string | undefined {
  if (ZONE.test(timeZone) && isKnownZone(timeZone)) return undefined;
  return 'Time zone is unknown. Use a name of the IANA time zone database, such as Europe/Berlin or UTC';
}

/** Whether a name is that of a time zone. To ask the library takes as long as to compute a time. */
const zones = lruCache<string, boolean>(KEPT);

function isKnownZone(timeZone: string): boolean {
  const known = zones.get(timeZone) ?? canFormat(timeZone);
  zones.set(timeZone, known);
  return known;
}

function canFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the expression with one space between its fields. */
export const normalized = (cron: string): string => cron.trim().split(/\s+/).join(' ');

/**
 * Returns why a schedule cannot have these times; undefined if it can.
 * @param times expression after `normalized`, and a known time zone
 */
export function cronProblem(times: CronTimes, now: number): string | undefined {
  const fields = times.cron.split(' ');
  if (fields.length !== FIELDS || !fields.every((field) => FIELD.test(field))) {
    return `Cron must have ${FIELDS} fields: minute, hour, day of the month, month, day of the week. For example, "30 2 * * 1-5"`;
  }
  const minutes = readPattern(times.cron);
  if (typeof minutes === 'string') return `Cron cannot be read: ${minutes}`;
  if (intervalOf(minutes) < SHORTEST_INTERVAL) {
    return `Cron has times less than ${SHORTEST_INTERVAL / MINUTE} minutes apart. Choose fewer times`;
  }
  const [first, second] = nextTimes(times, now);
  if (first === undefined) {
    return `Cron has no time within the next ${LONGEST_WAIT / YEAR} years. Check the day and the month`;
  }
  if (second !== undefined || computeTimes(times, first, 1).length > 0) return undefined;
  return `Cron has only one time within ${LONGEST_WAIT / YEAR} years. Choose a day that comes more often`;
}

/** Returns the shortest time between two times of a valid expression, in milliseconds, without daylight saving time. */
export function shortestInterval(cron: string): number {
  const pattern = readPattern(cron);
  return typeof pattern === 'string' ? 0 : intervalOf(pattern);
}

/**
 * Returns the first time after `now`, in milliseconds since 1970; undefined if there is none, or if this server does
 * not know the time zone any more.
 */
export function nextTime(times: CronTimes, now: number): number | undefined {
  return nextTimes(times, now, 1)[0];
}

/** Next times by expression. The entry is valid until its first time has passed. */
const cache = lruCache<string, { readonly since: number; readonly times: readonly number[] }>(KEPT);
/** Number of times that are computed together. */
const TOGETHER = 5;

/** Returns the next times after `now`, at most five and within ten years, in milliseconds since 1970. */
export function nextTimes(times: CronTimes, now: number, count = TOGETHER): readonly number[] {
  const key = `${times.timeZone} ${times.cron}`;
  const known = cache.get(key);
  const isValid = known !== undefined && known.since <= now && (known.times[0] ?? 0) > now;
  const found = isValid ? known.times : computeTimes(times, now, TOGETHER);
  if (!isValid) cache.set(key, { since: now, times: found });
  return found.slice(0, count);
}

function computeTimes({ cron, timeZone }: CronTimes, now: number, count: number): number[] {
  try {
    // The option `paused` keeps the library from starting a timer.
    const options = { timezone: timeZone, mode: '7-part', paused: true, fixedTimeRule: 'no-wildcard' } as const;
    const year = new Date(now).getUTCFullYear();
    const years = `${year - 1}-${year + LONGEST_WAIT / YEAR + 1}`;
    const found = new Cron(`0 ${spelledOut(cron)} ${years}`, options).nextRuns(count, new Date(now));
    return found.map((time) => time.getTime()).filter((time) => time <= now + LONGEST_WAIT);
  } catch {
    return [];
  }
}

interface Minutes {
  /** Minutes of the hour. */
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
}

function readPattern(cron: string): Minutes | string {
  try {
    const { minute, hour } = new CronPattern(cron, undefined, { mode: '5-part' });
    return { minutes: marked(minute), hours: marked(hour) };
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, '');
  }
}

const marked = (values: readonly number[]): number[] => values.flatMap((value, index) => (value ? [index] : []));

/**
 * Replaces steps and wildcards by lists, unless the expression means every hour. The library runs an expression with a
 * list once at each time of the day, also where daylight saving time leaves out or repeats an hour; one with a
 * wildcard follows the time that passes.
 */
function spelledOut(cron: string): string {
  const pattern = readPattern(cron);
  if (typeof pattern === 'string') return cron;
  const [, , ...days] = cron.split(' ');
  const hours = pattern.hours.length === 24 ? '*' : pattern.hours.join(',');
  return [pattern.minutes.join(','), hours, ...days].join(' ');
}

function intervalOf({ minutes, hours }: Minutes): number {
  const ofDay = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  const gaps = ofDay.map((time, index) => (ofDay[index + 1] ?? (ofDay[0] ?? 0) + 24 * 60) - time);
  return Math.min(...gaps) * MINUTE;
}
