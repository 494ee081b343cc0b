import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** For short-lived objects (bytes). By default V8 takes up to 128 MiB, of which a server needs little and gives nothing back. */
const SIZE = 8_388_608;
const OBJECTS = 1_000;
/**
 * Objects that stay are what makes V8 enlarge it; were it to do otherwise some day, it is left alone soon.
 * @limit tries to make the young generation small at the start, tries -> it is left as it is
 */
const MAX_ROUNDS = 500;

/** Milliseconds between two looks at it. */
const LOOK_EVERY = 1000;
/** Part of its time that the thread is at work when a small young generation costs more than it saves. */
const BUSY = 0.1;

/**
 * Gives V8's young generation the size that it keeps. To be called first of all: loading the program alone makes it grow to
 * 64 MiB. The flag for the limit (`--max-semi-space-size`) counts on the command line only, that for growth at any time.
 *
 * While nothing goes on V8 makes it small again, as small as 1 MiB: that is as well, as long as nothing goes on. Under load
 * collecting it all the time would take as long as all the rest, so it is given its size again.
 */
export function fixYoungGeneration(): void {
  enlarge();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY && size() < SIZE) enlarge();
  }, LOOK_EVERY).unref();
}

/** Takes some ten milliseconds. */
function enlarge(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const kept: object[][] = [];
  while (size() < SIZE && kept.length < MAX_ROUNDS)
    kept.push(Array.from({ length: OBJECTS }, (_, value) => ({ value })));
  setFlagsFromString('--semi-space-growth-factor=1');
}

function size(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? SIZE;
}
