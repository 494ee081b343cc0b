import { type Clock, systemClock } from '../../lib/clock.ts';
import type { RequestRecord } from '../request/request-context.ts';

/** What happened in a minute, and how things stood at some moment of it. */
export interface Minute {
  /** The minute since 1970. */
  readonly at: number;
  /** What adds up: over time, and over processes. */
  readonly counts: Record<string, number>;
  /** Levels of this process, which add up over processes. */
  readonly levels: Record<string, number>;
  /** What every process sees of the same thing: the largest counts. */
  readonly shared: Record<string, number>;
}

/** What is looked at once a minute. */
export interface Sampled {
  /** Numbers that only grow; what they have grown by is counted. */
  readonly totals: Readonly<Record<string, number>>;
  readonly shared: Readonly<Record<string, number>>;
}

/**
 * Minutes that are kept.
 * @limit the past that metrics are kept for, minutes -> the oldest are dropped
 */
export const MOST_MINUTES = 360;
/** Upper ends, milliseconds; slower ones have a bucket of their own. */
export const BUCKETS_MS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000, 30_000];

const MINUTE_MS = 60_000;
const LOGIN = /\/login$/;
const HALVES = new Set(['access', 'workspaces']);

/** The last hours of this process, a minute each: some numbers for each, whatever is asked of it. */
export class MetricsHistory {
  readonly #clock: Clock;
  #minutes: Minute[] = [];
  #connections = 0;
  #totals: Readonly<Record<string, number>> = {};

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** A request that was answered. */
  request({ service, status, durationMs, isTimed, route = '', fields }: RequestRecord): void {
    if (!HALVES.has(service)) return;
    this.count(`${service}.requests`);
    if (isTimed) this.count(`${service}.within.${bucketOf(durationMs)}`);
    if (status >= 500) this.count(`${service}.errors`);
    if (service !== 'access' || !LOGIN.test(route)) return;
    if (fields.login_accessor !== undefined || status < 300) this.count('logins');
    else if (status < 500 && status !== 499) this.count('refused_logins');
  }

  count(name: string, by = 1): void {
    const { counts } = this.#now();
    counts[name] = (counts[name] ?? 0) + by;
  }

  connections(by: 1 | -1): void {
    this.#noteConnections();
    this.#connections += by;
    this.#noteConnections();
  }

  sample({ totals, shared }: Sampled): void {
    for (const [name, total] of Object.entries(totals)) {
      // A mount that is gone takes what it has counted with it.
      const grown = total - (this.#totals[name] ?? 0);
      if (grown > 0) this.count(name, grown);
    }
    this.#totals = totals;
    Object.assign(this.#now().shared, shared);
    this.#noteConnections();
  }

  /** By the clock that tells its minutes apart, milliseconds. */
  get now(): number {
    return this.#clock();
  }

  /** Oldest first; minutes in which nothing happened are left out. */
  minutes(): readonly Minute[] {
    return this.#minutes;
  }

  /** The most at one time. */
  #noteConnections(): void {
    const { levels } = this.#now();
    levels.connections = Math.max(levels.connections ?? 0, this.#connections);
  }

  #now(): Minute {
    const at = Math.floor(this.#clock() / MINUTE_MS);
    const last = this.#minutes.at(-1);
    if (last && last.at >= at) return last;
    const minute: Minute = { at, counts: {}, levels: { connections: this.#connections }, shared: {} };
    this.#minutes.push(minute);
    this.#minutes = this.#minutes.filter((one) => one.at > at - MOST_MINUTES);
    return minute;
  }
}

function bucketOf(durationMs: number): number {
  const index = BUCKETS_MS.findIndex((end) => durationMs <= end);
  return index < 0 ? BUCKETS_MS.length : index;
}
