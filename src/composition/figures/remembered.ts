import { nextTurn } from '../../lib/slices.ts';

/**
 * How long what was read holds for whoever scrapes, milliseconds: databases are asked no more often than that.
 * @limit the time for which figures read from a database are told, ms -> they are read again
 */
const FIGURES_HOLD_MS = 10_000;
/**
 * How long a page waits for it, milliseconds.
 * @limit the time that the page of metrics waits for a figure of a database, ms -> the page goes without it
 */
const FIGURES_WAIT_MS = 3_000;

/**
 * Reads once for all who ask within a while, however many figures are made of it. What takes too long is not waited for, and
 * not begun again before it is over. Of several that begin with one page each has a turn of the event loop of its own.
 */
export function remembered<T>(read: () => Promise<T>, holdMs = FIGURES_HOLD_MS): () => Promise<T> {
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
    return within(found.value, FIGURES_WAIT_MS);
  };
}

function within<T>(value: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it takes too long to read')), milliseconds);
  return Promise.race([value, late.promise]).finally(() => clearTimeout(timer));
}
