import { useEffect, useRef, useState } from 'react';
import { read } from '../../api/bytes.ts';
import { ApiError } from '../../api/error.ts';
import { LogText } from './log-text.ts';

/** Read at once, bytes: the most that the server gives. */
const RANGE = 1_048_576;
/** Between two questions, milliseconds: an answer waits for what comes next, which is then shown a few lines at a time. */
const SOON_MS = 200;
/** The same when nothing came: the phase waits, or the server has no place for more who wait. */
const LATER_MS = 2_000;

export interface LogSource {
  /** Of what it is the log: another one is read from its beginning. */
  readonly id: string;
  /** Where it is read, with `offset` and `limit`. It may change while the log stays the same. */
  readonly address: string;
  /** Nothing is said before. */
  readonly hasBegun: boolean;
}

export interface ReadLog {
  readonly log: LogText;
  /** Something of it was read, or it is known that there is nothing. */
  readonly isThere: boolean;
  /** Why no more of it comes. */
  readonly error: ApiError | undefined;
}

/** A log from its beginning on, range by range, and what it says next as long as it goes on. Nothing is asked for in a tab that nobody sees. */
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
    // As much as there is at once; then what is new.
    const came = log.offset - before;
    if (came < RANGE && !log.hasEnded) await pause(signal, came > 0 ? SOON_MS : LATER_MS);
  }
}

async function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (signal.aborted || !document.hidden) return;
  await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true, signal }));
}
