import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_JOB_STATE } from '../lib/job/limits.ts';
import { applyArguments, initArguments } from './engine/arguments.ts';
import { checkBackend, selectWorkspace } from './input/backend.ts';
import { workingDirectory } from './input/configuration.ts';
import { Summary } from './log/summary.ts';
import { type PlanFacts, restorePlanArtifact } from './plan-artifact.ts';
import { type JobEnd, JobFailure, StateKept } from './ports.ts';
import { StateWatch } from './state/state-watch.ts';
import { engineFolder, placeState, stateFile, type Work } from './work.ts';

const VARIABLES = 'apply.tfvars';

/** Applies a plan in the folder of the plan, and uploads the state while it changes. */
export async function applyJob(work: Work): Promise<JobEnd> {
  const { job, log, engineFolders } = work;
  const planned = await restorePlanArtifact(work);
  const folder = await prepare(work);
  const steps = work.steps(engineFolder(work, folder));
  // The plan artifact contains no providers.
  const init = await steps.init(initArguments(job), (bytes) => log.write(bytes));
  if (init !== 0) return { kind: 'finished', step: 'init', exit: init, hasChanges: null, counts: null };
  checkBackend(folder, engineFolders);
  const summary = new Summary();
  const args = applyArguments(job, placeVariables(work, planned), engineFolders);
  const exit = await withState(work, planned, () =>
    steps.shown(args, async (bytes) => {
      summary.next(bytes);
      await log.write(bytes);
    }),
  );
  return { kind: 'finished', step: 'apply', exit, hasChanges: null, counts: summary.counts };
}

/** @returns the engine's working directory on this machine */
async function prepare(work: Work): Promise<string> {
  const { job, directory, engineFolders } = work;
  const folder = workingDirectory(directory.hostFolders.work, job.workspace.workingDirectory);
  selectWorkspace(folder, engineFolders);
  await placeState(work);
  return folder;
}

/**
 * Writes the variables that the plan does not contain. @returns the file as the engine sees it; null if there are none
 */
function placeVariables({ directory, engineFolders }: Work, { variables }: PlanFacts): string | null {
  if (variables === null) return null;
  writeFileSync(join(directory.hostFolders.told, VARIABLES), variables, { mode: 0o600 });
  return join(engineFolders.told, VARIABLES);
}

/** Runs the apply. However the engine ends, the last state that it wrote is uploaded or kept. */
async function withState(work: Work, { changesState }: PlanFacts, apply: () => Promise<number>): Promise<number> {
  const { outputs, directory, log } = work;
  directory.markApplying();
  const watch = await StateWatch.start(stateFile(directory.hostFolders), (version, isLast) =>
    outputs.state(version, isLast),
  );
  let thrown: unknown;
  const exit = await apply().catch((error) => {
    thrown = error;
    return 0;
  });
  await log.end();
  const isThere = await handOutLast(work, watch);
  if (thrown !== undefined) throw thrown;
  if (exit === 0 && changesState && !isThere) throw new JobFailure(NO_STATE);
  return exit;
}

const NO_STATE =
  'The apply ended without a new state at the path of this workspace, so resources may exist that no state contains.  ' +
  'Check whether a program in the configuration moves or removes the state, then import the resources that were created';

/** @returns whether there was a new version of the state */
async function handOutLast({ outputs, directory }: Work, watch: StateWatch): Promise<boolean> {
  const { last, missing } = await watch.end();
  if (last !== null) {
    try {
      await outputs.state(last, true);
    } catch (cause) {
      if (cause instanceof StateKept) throw cause;
      const path = directory.keep(last);
      const why = cause instanceof Error ? cause.message : 'unknown reason';
      throw new StateKept(`The state could not be uploaded (${why}). The agent keeps it in ${path}`, { cause });
    }
  }
  if (missing !== null) {
    const path = directory.keepStateFile();
    const kept = path === null ? '. No file is kept' : `. The agent keeps the file in ${path}`;
    throw new StateKept(`${WITHOUT[missing]}${kept}`);
  }
  return last !== null;
}

/** Reasons for a run whose apply left no usable state. */
const WITHOUT = {
  incomplete: 'The engine left an incomplete state; the previous version was uploaded, if there is one',
  'too large': `The engine left a state that is larger than ${MAX_JOB_STATE} bytes; it was not uploaded`,
} as const;
