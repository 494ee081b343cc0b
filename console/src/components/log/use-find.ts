import { useEffect, useState } from 'react';
import type { LogText } from './log-text.ts';

/** Lines that are found are told one by one up to here. */
export const MOST_FOUND = 10_000;
const PAUSE_MS = 200;
const NONE: readonly number[] = [];

/** Which lines have a text in them, from 0 on; looked for again when there are more lines. */
export function useFind(log: LogText, count: number, wanted: string): readonly number[] {
  const [found, setFound] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more lines are looked through again
  useEffect(() => {
    if (wanted === '') return setFound(NONE);
    const end = new AbortController();
    const timer = setTimeout(async () => {
      const lines = await log.find(wanted, end.signal, MOST_FOUND);
      if (!end.signal.aborted) setFound((before) => (lines.join() === before.join() ? before : lines));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [log, count, wanted]);
  return found;
}
