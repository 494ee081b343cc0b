import { BUCKETS_MS, type Minute, MOST_MINUTES } from './metrics-history.ts';

/** Activity of one API. */
export interface ApiActivity {
  readonly requests: number;
  /** Number of 5xx responses. */
  readonly errors: number;
  /** 95th percentile of the duration. Null without requests. */
  readonly p95_ms: number | null;
}

/** An interval. Values without a sample are null. */
export interface ActivityPoint {
  /** Start of the interval, milliseconds. */
  readonly at: number;
  readonly access: ApiActivity;
  readonly workspaces: ApiActivity;
  readonly logins: number;
  readonly refused_logins: number;
  readonly handshake_errors: number;
  readonly ocsp_requests: number;
  readonly ocsp_failures: number;
  readonly crl_fetches: number;
  readonly crl_fetch_failures: number;
  /** Maximum. */
  readonly connections: number | null;
  readonly database_bytes: number | null;
  readonly database_ms: number | null;
}

const MINUTE_MS = 60_000;

/**
 * Returns the counts of all processes in intervals of some minutes up to now. Intervals without activity are zero.
 * Starts at the first known minute.
 * @param now milliseconds
 */
export function activityPoints(processes: readonly (readonly Minute[])[], step: number, now: number): ActivityPoint[] {
  const newest = Math.floor(now / MINUTE_MS);
  const last = Math.floor(newest / step);
  const oldest = newest - MOST_MINUTES + 1;
  const known = processes.flatMap((minutes) => minutes.filter(({ at }) => at >= oldest && at <= newest));
  if (known.length === 0) return [];
  const first = Math.floor(Math.min(...known.map(({ at }) => at)) / step);
  const stretches = Array.from({ length: last - first + 1 }, (): Stretch => ({ counts: {}, levels: {}, shared: {} }));
  for (const minute of ofServer(known)) add(stretches[Math.floor(minute.at / step) - first], minute);
  return stretches.map((stretch, index) => pointOf((first + index) * step * MINUTE_MS, stretch));
}

type Numbers = Record<string, number>;
type Stretch = Omit<Minute, 'at'>;

/** Sums the levels of all processes for each minute. */
function ofServer(known: readonly Minute[]): Iterable<Minute> {
  const minutes = new Map<number, Minute>();
  for (const { at, counts, levels, shared } of known) {
    const minute = minutes.get(at) ?? { at, counts: {}, levels: {}, shared: {} };
    minutes.set(at, minute);
    each(counts, (name, value) => plus(minute.counts, name, value));
    each(levels, (name, value) => plus(minute.levels, name, value));
    each(shared, (name, value) => most(minute.shared, name, value));
  }
  return minutes.values();
}

function add(stretch: Stretch | undefined, { counts, levels, shared }: Minute): void {
  if (!stretch) return;
  each(counts, (name, value) => plus(stretch.counts, name, value));
  each(levels, (name, value) => most(stretch.levels, name, value));
  each(shared, (name, value) => most(stretch.shared, name, value));
}

const each = (numbers: Numbers, then: (name: string, value: number) => void): void => {
  for (const [name, value] of Object.entries(numbers)) then(name, value);
};
const plus = (numbers: Numbers, name: string, value: number): void => {
  numbers[name] = (numbers[name] ?? 0) + value;
};
const most = (numbers: Numbers, name: string, value: number): void => {
  numbers[name] = Math.max(numbers[name] ?? 0, value);
};

function pointOf(at: number, { counts, levels, shared }: Stretch): ActivityPoint {
  const count = (name: string) => counts[name] ?? 0;
  return {
    at,
    access: activityOf('access', counts),
    workspaces: activityOf('workspaces', counts),
    logins: count('logins'),
    refused_logins: count('refused_logins'),
    handshake_errors: count('handshake_errors'),
    ocsp_requests: count('ocsp_requests'),
    ocsp_failures: count('ocsp_failures'),
    crl_fetches: count('crl_fetches'),
    crl_fetch_failures: count('crl_fetch_failures'),
    connections: levels.connections ?? null,
    database_bytes: shared.database_bytes ?? null,
    database_ms: shared.database_ms ?? null,
  };
}

function activityOf(service: string, counts: Numbers): ApiActivity {
  const requests = counts[`${service}.requests`] ?? 0;
  return { requests, errors: counts[`${service}.errors`] ?? 0, p95_ms: p95(service, counts) };
}

/** Returns the upper bound of its bucket. */
function p95(service: string, counts: Numbers): number | null {
  const timed = [...BUCKETS_MS, Infinity].map((_, bucket) => counts[`${service}.within.${bucket}`] ?? 0);
  const total = timed.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.ceil(total * 0.95);
  const index = BUCKETS_MS.findIndex((_, bucket) => {
    left -= timed[bucket] ?? 0;
    return left <= 0;
  });
  return BUCKETS_MS[index] ?? BUCKETS_MS.at(-1) ?? null;
}
