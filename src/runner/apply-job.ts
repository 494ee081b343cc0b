import { relative } from 'node:path';
import { takeFolder } from './carried-folder.ts';
import { applyArguments, initArguments } from './engine/arguments.ts';
import { workingDirectory } from './input/configuration.ts';
import { Summary } from './log/summary.ts';
import { type JobEnd, StateKept } from './ports.ts';
import { MAX_STATE } from './state/state-file.ts';
import { StateWatch } from './state/state-watch.ts';
import { placeState, planFile, stateFile, type Work } from './work.ts';

/** Applies what was planned, in the folder of the plan, and hands out the state as it grows. */
export async function applyJob(work: Work): Promise<JobEnd> {
  const { job, log, seen } = work;
  const steps = work.steps(await prepare(work));
  // Providers were not carried over.
  const init = await steps.init(initArguments(job), (bytes) => log.write(bytes));
  if (init !== 0) return { kind: 'finished', step: 'init', exit: init, hasChanges: null, counts: null };
  const summary = new Summary();
  const exit = await withState(work, () =>
    steps.shown(applyArguments(job, planFile(seen)), async (bytes) => {
      summary.next(bytes);
      await log.write(bytes);
    }),
  );
  return { kind: 'finished', step: 'apply', exit, hasChanges: null, counts: summary.counts };
}

/** @returns where the engine works, as it sees that */
async function prepare(work: Work): Promise<string> {
  const { job, room, seen } = work;
  await takeFolder(work);
  const folder = workingDirectory(room.here.work, job.workspace.workingDirectory);
  await placeState(work);
  return [seen.work, relative(room.here.work, folder)].filter(Boolean).join('/');
}

/** However the engine ends, the last state that it wrote is handed out, or kept. */
async function withState(work: Work, apply: () => Promise<number>): Promise<number> {
  const { outputs, room, log } = work;
  room.stateMayChange();
  const watch = await StateWatch.start(stateFile(room.here), (version, isLast) => outputs.state(version, isLast));
  let thrown: unknown;
  const exit = await apply().catch((error) => {
    thrown = error;
    return 0;
  });
  await log.end();
  await handOutLast(work, watch);
  if (thrown !== undefined) throw thrown;
  return exit;
}

async function handOutLast({ outputs, room }: Work, watch: StateWatch): Promise<void> {
  const { last, missing } = await watch.end();
  if (last !== null) {
    try {
      await outputs.state(last, true);
    } catch (cause) {
      if (cause instanceof StateKept) throw cause;
      const path = room.keep(last);
      const why = cause instanceof Error ? cause.message : 'no reason was given';
      throw new StateKept(`The state could not be handed over (${why}). The agent keeps it in ${path}`, { cause });
    }
  }
  if (missing !== null)
    throw new StateKept(`${WITHOUT[missing]}. The agent keeps what is there in ${room.keepStateFile()}`);
}

/** What an engine left in the place of a state. */
const WITHOUT = {
  incomplete: 'The engine left a state that is not complete; the version before it was handed over, if there is one',
  'too large': `The engine left a state that is larger than ${MAX_STATE} bytes, and it was not handed over`,
} as const;
