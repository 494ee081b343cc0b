import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** For short-lived objects (bytes). By default V8 takes up to 128 MiB, of which a server needs little and gives nothing back. */
const SIZE = 8_388_608;
const OBJECTS = 1_000;
/**
 * Objects that stay are what makes V8 enlarge it; were it to do otherwise some day, it is left alone soon.
 * @limit tries to make the young generation small at the start, tries -> it is left as it is
 */
const MAX_ROUNDS = 500;

/**
 * Gives V8's young generation the size that it keeps. To be called first of all: loading the program alone makes it grow to
 * 64 MiB. The flag for the limit (`--max-semi-space-size`) counts on the command line only, that for growth at any time.
 */
export function fixYoungGeneration(): void {
  const kept: object[][] = [];
  while (size() < SIZE && kept.length < MAX_ROUNDS)
    kept.push(Array.from({ length: OBJECTS }, (_, value) => ({ value })));
  setFlagsFromString('--semi-space-growth-factor=1');
}

function size(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? SIZE;
}
