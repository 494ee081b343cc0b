import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** For short-lived objects (bytes). By default V8 takes up to 64 MiB, of which a server needs little and gives nothing back. */
const YOUNG_GENERATION = 8_388_608;
/** By how much what is on the heap may grow before V8 collects garbage; by default it is up to three times as much. */
const GROWTH_PERCENT = 50;
/** Milliseconds between two looks at it. */
const LOOK_EVERY = 1_000;
/** Part of its time that the thread is at work when a small young generation costs more than it saves. */
const BUSY = 0.1;
const OBJECTS = 1_000;
/**
 * Objects that stay are what makes V8 enlarge it; were it to do otherwise some day, it is left alone soon.
 * @limit tries to give the young generation its size at the start, tries -> it is left as it is
 */
const MAX_ROUNDS = 500;

/**
 * For what runs for long, once it has started and before anybody is served: gives back what the start has left behind, and
 * has V8 take no more from then on than the program needs. It stands still meanwhile, for some tens of milliseconds.
 */
export function settleMemory(): void {
  collectGarbage();
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  // There is too little in the young generation for several threads: they cost more than they do.
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

/** With it the young generation becomes as small as it can be. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Gives the young generation its size. The flag for its limit (`--max-semi-space-size`) counts on the command line only, that for growth
 * at any time. While nothing goes on V8 makes it small again, which is as well; under load, collecting it all the time would take as long
 * as all the rest. It takes some milliseconds.
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
