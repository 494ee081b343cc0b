import { useEffect, useMemo, useRef } from 'react';
import { openThread, type Thread } from '../../../api/worker.ts';
import type { Version } from '../version.ts';
import { LARGEST_COMPARED, type Question, type Reading } from './questions.ts';
import url from './read-worker.ts?worker&url';
import type { Named, ValueChanges } from './state-file.ts';

/** Returns a function that starts the worker thread of this page on its first call. The thread reads state files. */
export function useReadThread(): () => Thread<Question, Reading> {
  const thread = useRef<Thread<Question, Reading> | undefined>(undefined);
  useEffect(
    () => () => {
      thread.current?.close();
      thread.current = undefined;
    },
    [],
  );
  return () => {
    thread.current ??= openThread(url);
    return thread.current;
  };
}

/** Reads values of two versions. */
export interface ValueReading {
  /** Size limit that the two files exceed, bytes; undefined if they can be read. */
  readonly tooLarge: number | undefined;
  /** Whether there are two readable files. */
  readonly isOpen: boolean;
  readonly read: (named: Named) => Promise<ValueChanges>;
}

export function useReading(before: Version | undefined, after: Version | undefined): ValueReading {
  const thread = useReadThread();
  const [from, to] = [before?.id, after?.id];
  const size = (before?.attributes.size ?? 0) + (after?.attributes.size ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the worker never changes
  return useMemo(() => {
    const tooLarge = size > LARGEST_COMPARED ? LARGEST_COMPARED : undefined;
    return {
      tooLarge,
      isOpen: from !== undefined && to !== undefined && tooLarge === undefined,
      read: async (named) => {
        const { compared } = await thread().ask({ from: from ?? '', to: to ?? '', named });
        return compared ?? { changes: [], more: 0 };
      },
    };
  }, [from, to, size]);
}
