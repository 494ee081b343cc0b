import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STATES } from '../isolation/folders.ts';
import { STATE_FILE } from '../state/state-file.ts';
import { moveAside, removeAllDiscarded, removeDiscarded } from './discard.ts';
import { type KeptState, keepFile, keptStatesIn } from './kept-states.ts';

const RUNS = 'runs';
/** Marker file of a job directory: an apply has started, so its state must be kept. */
export const APPLYING = 'applying';

/** Returns the directory of a run's jobs in the folder of an agent. */
export const folderOf = (base: string, runId: string): string => join(base, RUNS, runId);

/**
 * Cleans up after a job whose process is gone: keeps the state of an apply, without reading it, and removes everything
 * else.
 * @returns path of the kept state; null if there is none
 */
export async function cleanUpJob(base: string, runId: string): Promise<string | null> {
  const { kept, discarded } = takeApart(base, runId);
  if (discarded !== null) await removeDiscarded(discarded);
  return kept;
}

/**
 * Cleans up the jobs of killed agents: keeps the states of applies and removes everything else. Called before an agent
 * starts; the removal continues in the background.
 * @returns all kept states; they stay until an operator removes them
 */
export async function keptStates(base: string): Promise<KeptState[]> {
  const runs = join(base, RUNS);
  for (const runId of existsSync(runs) ? readdirSync(runs) : []) takeApart(base, runId);
  void removeAllDiscarded(base);
  return keptStatesIn(base);
}

function takeApart(base: string, runId: string): { readonly kept: string | null; readonly discarded: string | null } {
  const root = folderOf(base, runId);
  if (!existsSync(root)) return { kept: null, discarded: null };
  const kept = existsSync(join(root, APPLYING)) ? keepFile(base, runId, stateFileIn(root)) : null;
  return { kept, discarded: moveAside(base, root) };
}

/** The state file is in a folder with the name of the workspace. */
function stateFileIn(root: string): string {
  const states = join(root, STATES);
  const [workspace = ''] = existsSync(states) ? readdirSync(states) : [];
  return join(states, workspace, STATE_FILE);
}
