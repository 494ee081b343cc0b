import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER_BOUNDS } from './archive/bounds.ts';
import { pack } from './archive/pack.ts';
import { unpack } from './archive/unpack.ts';
import { JobFailure } from './ports.ts';
import { untilStopped } from './until-stopped.ts';
import { contentOf, type Work } from './work.ts';

/** Facts of the agent about the plan, which no engine sees: a file that it could put there instead would be followed here. */
const ABOUT = 'about';
const PLACE = 'place';
const CHANGES_STATE = 'changes-state';
const VARIABLES = 'variables.tfvars';

/** Facts about a plan that its apply needs, beside its files. */
export interface PlanFacts {
  /** To apply it makes a new version of the state. */
  readonly changesState: boolean;
  /** Definitions of variables that the apply has to be given again, in HCL; null for none. */
  readonly variables: string | null;
}

/** Hands out the files and facts that the apply of a plan needs. */
export async function uploadPlanArtifact(
  { directory, engineFolders, outputs, stopping }: Work,
  planned: PlanFacts,
): Promise<void> {
  stopping.check();
  const about = directory.file(ABOUT);
  mkdirSync(about, { mode: 0o700 });
  writeFileSync(join(about, PLACE), placeOf(engineFolders));
  if (planned.changesState) writeFileSync(join(about, CHANGES_STATE), '');
  if (planned.variables !== null) writeFileSync(join(about, VARIABLES), planned.variables, { mode: 0o600 });
  const path = directory.file('folder.tar.gz');
  await pack(directory.root, [ABOUT, 'work', 'plan'], path, stopping.interrupted);
  await outputs.folder(contentOf(path));
}

/**
 * Puts the folder of the plan where it was.
 * @throws JobFailure where that cannot be
 */
export async function restorePlanArtifact({ inputs, directory, engineFolders, stopping }: Work): Promise<PlanFacts> {
  const carried = directory.file('carried');
  mkdirSync(carried, { mode: 0o700 });
  const folder = await untilStopped(inputs.folder(), stopping.interrupted);
  await unpack(folder, carried, FOLDER_BOUNDS, stopping.interrupted);
  const about = directory.requireFolder(join(carried, ABOUT));
  checkPlace(readFileSync(join(about, PLACE), 'utf8'), placeOf(engineFolders));
  directory.placeFolder(carried, 'work');
  directory.placeFolder(carried, 'plan');
  const variables = join(about, VARIABLES);
  return {
    changesState: existsSync(join(about, CHANGES_STATE)),
    variables: existsSync(variables) ? readFileSync(variables, 'utf8') : null,
  };
}

/** A plan keeps absolute paths, and the name of its workspace in that of the state. */
const placeOf = ({ work, state }: Work['engineFolders']): string => `${work}\n${state}`;

/** Elsewhere a plan would be applied to another state. */
function checkPlace(planned: string, here: string): void {
  if (planned === here) return;
  const [work, state] = planned.split('\n');
  if (work === here.split('\n')[0]) {
    const why = state === undefined ? 'by an agent of an earlier version' : 'for another name of the workspace';
    throw new JobFailure(`The plan was made ${why}, and cannot be applied: start a new run`);
  }
  throw new JobFailure(
    `The plan was made in ${JSON.stringify(work?.slice(0, 200))} and cannot be applied in ${JSON.stringify(here.split('\n')[0])}: agents without isolation need the same folder`,
  );
}
