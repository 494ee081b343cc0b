import { type Clock, systemClock } from '../../lib/clock.ts';
import type { RequestRecord } from '../request/request-context.ts';

/** Activity of one minute, and sampled levels. */
export interface Minute {
  /** Minutes since 1970. */
  readonly at: number;
  /** Sums, which add up over time and over processes. */
  readonly counts: Record<string, number>;
  /** Levels of this process, which add up over processes. */
  readonly levels: Record<string, number>;
  /** Values that all processes share. The maximum over all processes is used. */
  readonly shared: Record<string, number>;
}

/** Source of samples, read once a minute. */
export interface Sampled {
  /** Counters; their increase is recorded. */
  readonly totals: Readonly<Record<string, number>>;
  readonly shared: Readonly<Record<string, number>>;
}

/**
 * Number of minutes kept.
 * @limit period that the metrics history covers, minutes -> the oldest values are dropped
 */
export const MOST_MINUTES = 360;
/** Upper bounds of duration buckets, milliseconds. The last bucket has none. */
export const BUCKETS_MS = [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000, 30_000];

const MINUTE_MS = 60_000;
const LOGIN = /\/login$/;
const HALVES = new Set(['access', 'workspaces']);

/** Recent history of this process by minute, with constant size per minute. */
export class MetricsHistory {
  readonly #clock: Clock;
  #minutes: Minute[] = [];
  #connections = 0;
  #totals: Readonly<Record<string, number>> = {};

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Records a finished request. */
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
      // A counter may shrink when a mount is disabled.
      const grown = total - (this.#totals[name] ?? 0);
      if (grown > 0) this.count(name, grown);
    }
    this.#totals = totals;
    Object.assign(this.#now().shared, shared);
    this.#noteConnections();
  }

  /** Current time of the history's clock, milliseconds. */
  get now(): number {
    return this.#clock();
  }

  /** Minutes, oldest first. Minutes without activity are left out. */
  minutes(): readonly Minute[] {
    return this.#minutes;
  }

  /** Maximum. */
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
