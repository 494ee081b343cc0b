import { nextTurn } from '../../lib/slices.ts';

/**
 * How long what was read holds for whoever scrapes, milliseconds: databases are asked no more often than that.
 * @limit the time for which metrics read from a database are told, ms -> they are read again
 */
const CACHE_MS = 10_000;
/**
 * How long a page waits for it, milliseconds.
 * @limit the time that the page of metrics waits for a metric of a database, ms -> the page goes without it
 */
const READ_TIMEOUT_MS = 3_000;

/**
 * Reads once for all who ask within a while, however many metrics are made of it. What takes too long is not waited for, and
 * not begun again before it is over. Of several that begin with one page each has a turn of the event loop of its own.
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
  const timer = setTimeout(() => late.reject(new Error('it takes too long to read')), milliseconds);
  return Promise.race([value, late.promise]).finally(() => clearTimeout(timer));
}
