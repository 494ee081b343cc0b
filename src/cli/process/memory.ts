import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Size of V8's young generation, bytes. The default of up to 64 MiB is more than a server needs, and V8 never returns
 * it.
 */
const YOUNG_GENERATION = 8_388_608;
/** Heap growth factor before V8 collects garbage. The default is up to three. */
const GROWTH_PERCENT = 50;
/** Interval between checks, milliseconds. */
const LOOK_EVERY = 1_000;
/** Event loop utilization above which a small young generation costs more than it saves. */
const BUSY = 0.1;
const OBJECTS = 1_000;
/**
 * V8 enlarges the young generation for surviving objects. The limit stops the attempts if V8 changes this behaviour.
 * @limit attempts to set the size of the young generation at start, attempts -> the size stays
 */
const MAX_ROUNDS = 500;

/**
 * Frees memory of the start and limits V8's growth. For long-running processes, after their start and before the first
 * request. Blocks the thread for some tens of milliseconds.
 */
export function settleMemory(): void {
  collectGarbage();
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // The young generation is too small for parallel collection.
  setFlagsFromString('--no-parallel-scavenge');
  enlarge();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > BUSY && youngGeneration() < YOUNG_GENERATION) enlarge();
  }, LOOK_EVERY).unref();
}

/** This call shrinks the young generation to its minimum. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Sets the size of the young generation within some milliseconds. V8 reads its limit (`--max-semi-space-size`) only on
 * the command line, but reads the growth flags at any time. V8 shrinks it again while idle. Under load a small young
 * generation would make collection as expensive as all other work.
 */
function enlarge(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const kept: object[][] = [];
  while (youngGeneration() < YOUNG_GENERATION && kept.length < MAX_ROUNDS)
    kept.push(Array.from({ length: OBJECTS }, (_, value) => ({ value })));
  setFlagsFromString('--semi-space-growth-factor=1');
}

function youngGeneration(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return space?.space_size ?? YOUNG_GENERATION;
}
