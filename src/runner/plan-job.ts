import { existsSync, writeFileSync } from 'node:fs';
import { CONFIGURATION_BOUNDS } from '../lib/job/configuration-bounds.ts';
import { untilStopped } from '../lib/until-stopped.ts';
import { initArguments, planArguments, planFile } from './engine/arguments.ts';
import { checkBackend, overrideBackend, selectWorkspace } from './input/backend.ts';
import { checkConfiguration, workingDirectory } from './input/configuration.ts';
import { variablesFile } from './input/variables-file.ts';
import { packagesIn } from './packages.ts';
import { applyVariables } from './plan/apply-variables.ts';
import type { PlanFacts } from './plan/facts.ts';
import { handOutPlan } from './plan/hand-out.ts';
import { uploadPlanArtifact } from './plan-artifact.ts';
import { type JobEnd, JobFailure } from './ports.ts';
import { unpackForJob } from './unpack.ts';
import { engineFolder, placeState, type Work } from './work.ts';

const VARIABLES = 'variables.tfvars';
/** Exit code of `plan -detailed-exitcode` if there are changes. */
const HAS_CHANGES = 2;

/** Plans a configuration, and uploads the plan in all forms that users and the apply need. */
export async function planJob(work: Work): Promise<JobEnd> {
  const { job, log, directory, engineFolders } = work;
  const folder = await prepare(work);
  const steps = work.steps(engineFolder(work, folder));
  const init = await steps.init(initArguments(job), (bytes) => log.write(bytes));
  if (init !== 0) return { kind: 'finished', step: 'init', exit: init, hasChanges: null, counts: null };
  checkBackend(folder, engineFolders);
  const packages = packagesIn(folder);
  const args = planArguments(job, `${engineFolders.told}/${VARIABLES}`, engineFolders);
  const exit = await steps.shown(args, (bytes) => log.write(bytes));
  await log.end();
  const isPlanned = exit === 0 || exit === HAS_CHANGES;
  // A failed plan may still leave a plan file, for example with generated configuration.
  const hasPlan = existsSync(planFile(directory.hostFolders));
  if (isPlanned && !hasPlan) throw new JobFailure('The engine reported success but left no plan file');
  const plan = hasPlan ? await handOutPlan(work, steps) : null;
  if (isPlanned && plan !== null && job.keepFolder) await handOutPlanned(work, plan);
  return {
    kind: 'finished',
    step: 'plan',
    exit: isPlanned ? 0 : exit,
    hasChanges: isPlanned ? exit === HAS_CHANGES : null,
    counts: plan?.counts ?? null,
    ...(plan && job.parameters.refreshOnly && { findings: plan.findings }),
    ...(isPlanned && { packages }),
  };
}

/** @returns the engine's working directory on this machine */
async function prepare(work: Work): Promise<string> {
  const { job, engine, inputs, directory, engineFolders, stopping } = work;
  const bytes = await untilStopped(inputs.configuration(), stopping.interrupted);
  const configuration = { name: 'The configuration', bytes, bounds: CONFIGURATION_BOUNDS };
  await unpackForJob(configuration, directory.hostFolders.work, stopping.interrupted);
  const folder = workingDirectory(directory.hostFolders.work, job.workspace.workingDirectory);
  checkConfiguration(folder, job, engine);
  overrideBackend(folder, engineFolders);
  selectWorkspace(folder, engineFolders);
  writeFileSync(`${directory.hostFolders.told}/${VARIABLES}`, variablesFile(job.variables), { mode: 0o600 });
  await placeState(work);
  return folder;
}

/** Uploads the plan artifact, with the values of ephemeral variables, which the plan does not contain. */
async function handOutPlanned(work: Work, { changesState, variables }: PlanFacts): Promise<void> {
  const again = applyVariables(work.job.variables, variables, work.engine);
  await uploadPlanArtifact(work, { changesState, variables: again.length === 0 ? null : variablesFile(again) });
}
