import type { Bytes } from './ports.ts';

/**
 * What comes of it, unless the signal comes first: nobody waits for what may never come.
 * @throws what the signal says
 */
export async function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    stopped.promise.catch(() => {});
  }
}

/** The same of a content, piece by piece. */
export async function* bytesUntilStopped(bytes: Bytes, signal: AbortSignal): Bytes {
  const pieces = bytes[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const piece = await untilStopped(pieces.next(), signal);
      isOver = piece.done === true;
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    // It may hang in the piece that did not come.
    if (!isOver) pieces.return?.().catch(() => {});
  }
}
