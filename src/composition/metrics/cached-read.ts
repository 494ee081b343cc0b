import { nextTurn } from '../../lib/slices.ts';

/**
 * Lifetime of cached metrics, milliseconds. The database is not queried more often.
 * @limit time for which metrics from the database are cached, ms -> the metrics are read again
 */
const CACHE_MS = 10_000;
/**
 * Time that a metrics page waits for the database, milliseconds.
 * @limit wait of the metrics page for a metric from the database, ms -> the page omits it
 */
const READ_TIMEOUT_MS = 3_000;

/**
 * Read-through cache for metrics: one read serves all metrics and scrapes for a while. A slow read is not awaited, and
 * not repeated before it ends. Reads that start with one page run in separate turns of the event loop.
 */
export function cachedRead<T>(read: () => Promise<T>, holdMs = CACHE_MS): () => Promise<T> {
  let found: { readonly value: Promise<T>; until: number } | undefined;
  return () => {
    if (found === undefined || performance.now() >= found.until) {
      const reading = { value: nextTurn().then(read), until: Number.POSITIVE_INFINITY };
      const over = () => {
        reading.until = performance.now() + holdMs;
      };
      reading.value.then(over, over);
      found = reading;
    }
    return within(found.value, READ_TIMEOUT_MS);
  };
}

function within<T>(value: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('reading takes too long')), milliseconds);
  return Promise.race([value, late.promise]).finally(() => clearTimeout(timer));
}
