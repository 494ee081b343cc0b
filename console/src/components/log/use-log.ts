import { useEffect, useRef, useState } from 'react';
import { read } from '../../api/bytes.ts';
import { ApiError } from '../../api/error.ts';
import { LogText } from './log-text.ts';

/** Bytes in one request: the server's maximum. */
const RANGE = 1_048_576;
/** Wait after a response with new lines, milliseconds. The server holds the next request until more lines arrive. */
const SOON_MS = 200;
/**
 * Wait after a response without new lines, milliseconds: the phase has not started, or the server has no capacity for
 * waiting requests.
 */
const LATER_MS = 2_000;

export interface LogSource {
  /** Id of the log's subject. Another id starts from the beginning. */
  readonly id: string;
  /** URL of the log, without `offset` and `limit`. It may change while the log stays the same. */
  readonly address: string;
  /** Whether the phase has started; before, the log is not read. */
  readonly hasBegun: boolean;
}

export interface ReadLog {
  readonly log: LogText;
  /** Whether at least one request got a response. */
  readonly isThere: boolean;
  /** Error of the last request. */
  readonly error: ApiError | undefined;
}

/**
 * Reads a log in ranges from its beginning, and follows it while it grows (long polling). Pauses while the tab is
 * hidden.
 */
export function useLog({ id, address, hasBegun }: LogSource): ReadLog {
  const [state, setState] = useState<ReadLog & { readonly id: string }>(() => empty(id));
  const latest = useRef(address);
  latest.current = address;
  useEffect(() => {
    if (!hasBegun) return;
    const log = new LogText();
    const end = new AbortController();
    const show = (change: Partial<ReadLog>) =>
      setState((before) => ({ ...(before.id === id ? before : empty(id)), ...change, id, log }));
    void follow(log, () => latest.current, end.signal, show);
    return () => end.abort();
  }, [id, hasBegun]);
  return state.id === id ? state : empty(id);
}

const empty = (id: string) => ({ id, log: new LogText(), isThere: false, error: undefined });

async function follow(
  log: LogText,
  address: () => string,
  signal: AbortSignal,
  show: (change: Partial<ReadLog>) => void,
): Promise<void> {
  while (!signal.aborted && !log.hasEnded) {
    const before = log.offset;
    try {
      const answer = await read(`${address()}?offset=${before}&limit=${RANGE}`, signal);
      log.append(new Uint8Array(await answer.arrayBuffer()));
      if (signal.aborted) return;
      show({ isThere: true, error: undefined });
    } catch (error) {
      if (signal.aborted) return;
      show({ error: error instanceof ApiError ? error : new ApiError(0, String(error), '') });
    }
    // Reads full ranges without a pause, then follows new lines.
    const came = log.offset - before;
    if (came < RANGE && !log.hasEnded) await pause(signal, came > 0 ? SOON_MS : LATER_MS);
  }
}

async function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (signal.aborted || !document.hidden) return;
  await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true, signal }));
}
