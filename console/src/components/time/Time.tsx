import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api/clock.ts';
import { exact, long, secondsSince, short } from '../../format/time.ts';

/** Times that are told relative to now move on this often, milliseconds. */
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

/** The time, every quarter of a minute. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

interface AgoProps {
  readonly time: string;
  /** As a sentence has it: `14 minutes`. */
  readonly inWords?: boolean;
}

/** How long ago: `14 min`. The moment itself is in the tooltip. */
export function Ago({ time, inWords = false }: AgoProps) {
  const seconds = secondsSince(time, Math.max(useNow(), 0));
  return (
    <time dateTime={time} title={exact(time)}>
      {(inWords ? long : short)(seconds)}
    </time>
  );
}
