import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api/clock.ts';
import { exact, long, secondsSince, secondsUntil, short } from '../../format/time.ts';
import * as texts from './texts.ts';

/** Update interval of relative times, milliseconds. */
const EVERY_MS = 15_000;

let now = serverNow();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) begin();
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

let timer: ReturnType<typeof setInterval> | undefined;

function begin(): void {
  now = serverNow();
  timer = setInterval(() => {
    now = serverNow();
    for (const one of listeners) one();
  }, EVERY_MS);
}

/** Returns the current time, updated every 15 seconds. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

interface AgoProps {
  readonly time: string;
  /** Whether to write the unit in full: `14 minutes`. */
  readonly inWords?: boolean;
}

/** Elapsed time, `14 min`, with the exact time in the tooltip. */
export function Ago({ time, inWords = false }: AgoProps) {
  const seconds = secondsSince(time, Math.max(useNow(), 0));
  return (
    <time dateTime={time} title={exact(time)}>
      {(inWords ? long : short)(seconds)}
    </time>
  );
}

/** Time left until a time, `in 4 d`, with the exact time in the tooltip. */
export function Until({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={exact(time)}>
      {texts.within(short(secondsUntil(time, Math.max(useNow(), 0))))}
    </time>
  );
}
