/**
 * Waits for a promise, or until the signal aborts.
 * @throws the reason of the signal
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

/** Passes bytes through until the signal aborts. */
export async function* bytesUntilStopped(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
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
    // The source may wait for its next piece forever, so its end is not awaited.
    if (!isOver) pieces.return?.().catch(() => {});
  }
}
