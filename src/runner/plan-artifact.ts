import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchiveBounds, pack } from '../archive/index.ts';
import { MAX_PLAN_FOLDER } from '../lib/job/limits.ts';
import { untilStopped } from '../lib/until-stopped.ts';
import { JobFailure } from './ports.ts';
import { unpackForJob } from './unpack.ts';
import { contentOf, type Work } from './work.ts';

/** Folder with facts about the plan. The engine does not see it, so it cannot replace a file by a link. */
const ABOUT = 'about';
const PLACE = 'place';
const CHANGES_STATE = 'changes-state';
const VARIABLES = 'variables.tfvars';

/** Providers are left out: the apply installs them again from the lock file. */
const PROVIDERS = /(^|\/)\.terraform\/providers(\/|$)/;
/** Bounds of a plan artifact: the configuration, its modules, and files that were written during the plan. */
const BOUNDS: ArchiveBounds = {
  packedBytes: MAX_PLAN_FOLDER,
  /** @limit unpacked size of a plan artifact, bytes -> the run fails with this reason */
  bytes: 4_294_967_296,
  /** @limit number of files in a plan artifact, files -> the run fails with this reason */
  entries: 500_000,
  /** @limit nested folders in a plan artifact, levels -> the run fails with this reason */
  depth: 512,
  mayLeadOut: true,
  advice: 'Start a new run',
};

/** Facts about a plan that its apply needs in addition to the files. */
export interface PlanFacts {
  /** Whether the apply creates a new version of the state. */
  readonly changesState: boolean;
  /** Variable definitions that the apply needs again, in HCL; null for none. */
  readonly variables: string | null;
}

/** Uploads the plan artifact: files and facts that the apply needs. */
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
  await pack(
    { from: directory.root, folders: [ABOUT, 'work', 'plan'], without: PROVIDERS },
    path,
    stopping.interrupted,
  );
  await outputs.folder(contentOf(path));
}

/**
 * Downloads and unpacks the plan artifact, at the path of the plan.
 * @throws JobFailure if it is invalid, or the path differs
 */
export async function restorePlanArtifact({ inputs, directory, engineFolders, stopping }: Work): Promise<PlanFacts> {
  const carried = directory.file('carried');
  mkdirSync(carried, { mode: 0o700 });
  const bytes = await untilStopped(inputs.folder(), stopping.interrupted);
  await unpackForJob({ name: 'The folder of the plan', bytes, bounds: BOUNDS }, carried, stopping.interrupted);
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

/**
 * Returns the paths that a plan depends on: it contains absolute paths, and the state path has the name of the
 * workspace.
 */
const placeOf = ({ work, state }: Work['engineFolders']): string => `${work}\n${state}`;

/** Refuses another path: there the plan would be applied to another state. */
function checkPlace(planned: string, here: string): void {
  if (planned === here) return;
  const [work, state] = planned.split('\n');
  if (work === here.split('\n')[0]) {
    const why = state === undefined ? 'by an agent of an earlier version' : 'before the workspace was renamed';
    throw new JobFailure(`The plan was made ${why} and cannot be applied. Start a new run`);
  }
  throw new JobFailure(
    `The plan was made in ${JSON.stringify(work?.slice(0, 200))} and cannot be applied in ${JSON.stringify(here.split('\n')[0])}: agents without isolation need the same folder`,
  );
}
