import { useEffect, useState } from 'react';
import type { LogText } from './log-text.ts';

/** Maximum number of matches. */
export const MOST_FOUND = 10_000;
const PAUSE_MS = 200;
const NONE: readonly number[] = [];

/** Finds lines that contain a text, as indexes from 0. Searches again when lines arrive. */
export function useFind(log: LogText, count: number, wanted: string): readonly number[] {
  const [found, setFound] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches again when lines arrive
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
