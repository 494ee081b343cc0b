import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STATES } from '../isolation/folders.ts';
import { STATE_FILE } from '../state/state-file.ts';
import { moveAside, removeAllDiscarded, removeDiscarded } from './discard.ts';
import { type KeptState, keepFile, keptStatesIn } from './kept-states.ts';

const RUNS = 'runs';
/** Says that the state in a folder is worth keeping. */
export const APPLYING = 'applying';

/** Where the jobs of a run have their files, in the folder of an agent. */
export const folderOf = (base: string, runId: string): string => join(base, RUNS, runId);

/**
 * Clears away what a job left whose process is gone: the state of an apply is kept, all else is removed. Nothing of it is read.
 * @returns where the state is kept; null where there is none
 */
export async function cleanUpJob(base: string, runId: string): Promise<string | null> {
  const { kept, discarded } = takeApart(base, runId);
  if (discarded !== null) await removeDiscarded(discarded);
  return kept;
}

/**
 * Clears away the jobs that killed agents left in their folder: the state of an apply is kept, all else is removed.
 * Called before an agent starts. The removal continues in the background.
 * @returns all states that are kept; they stay until an operator removes them
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

/** It is in a folder that has the name of the workspace. */
function stateFileIn(root: string): string {
  const states = join(root, STATES);
  const [workspace = ''] = existsSync(states) ? readdirSync(states) : [];
  return join(states, workspace, STATE_FILE);
}
