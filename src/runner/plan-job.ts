import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CONFIGURATION_BOUNDS } from './archive/bounds.ts';
import { unpack } from './archive/unpack.ts';
import { handOutFolder, type Planned } from './carried-folder.ts';
import { initArguments, planArguments, planFile, schemaArguments, showArguments } from './engine/arguments.ts';
import type { Steps } from './engine/steps.ts';
import { checkBackend, overrideBackend, selectWorkspace } from './input/backend.ts';
import { checkConfiguration, workingDirectory } from './input/configuration.ts';
import { variablesFile } from './input/variables-file.ts';
import { ephemeralVariables } from './plan/ephemeral.ts';
import { findingsOf } from './plan/findings.ts';
import { changesState, countsOf, type PlanJson } from './plan/plan-json.ts';
import { redactedPlan } from './plan/redaction.ts';
import { type SchemasJson, schemasOf } from './plan/schemas.ts';
import { type JobEnd, JobFailure } from './ports.ts';
import { untilStopped } from './until-stopped.ts';
import { contentOf, contentOfText, placeState, seenFolder, type Work } from './work.ts';

/** @limit a plan as JSON, bytes -> the run fails, and says so */
const MAX_PLAN_JSON = 268_435_456;
/** @limit the schemas of all providers of a configuration, bytes -> the run fails, and says so */
const MAX_SCHEMAS = 402_653_184;
const VARIABLES = 'variables.tfvars';
/** Of a plan that asks for a detailed exit code. */
const HAS_CHANGES = 2;

/** Plans a configuration, and hands out the plan in all forms that people and the apply need. */
export async function planJob(work: Work): Promise<JobEnd> {
  const { job, log, room, seen } = work;
  const folder = await prepare(work);
  const steps = work.steps(seenFolder(work, folder));
  const init = await steps.init(initArguments(job), (bytes) => log.write(bytes));
  if (init !== 0) return { kind: 'finished', step: 'init', exit: init, hasChanges: null, counts: null };
  checkBackend(folder, seen);
  const args = planArguments(job, `${seen.told}/${VARIABLES}`, seen);
  const exit = await steps.shown(args, (bytes) => log.write(bytes));
  await log.end();
  const isPlanned = exit === 0 || exit === HAS_CHANGES;
  // One that went wrong may have left a plan, which says what it generated.
  const hasPlan = existsSync(planFile(room.here));
  if (isPlanned && !hasPlan) throw new JobFailure('The engine says that it planned, and left no plan');
  const plan = hasPlan ? await handOutPlan(work, steps) : null;
  if (isPlanned && plan !== null && job.keepFolder) await handOutFolder(work, plannedOf(plan, work));
  return {
    kind: 'finished',
    step: 'plan',
    exit: isPlanned ? 0 : exit,
    hasChanges: isPlanned ? exit === HAS_CHANGES : null,
    counts: plan && countsOf(plan),
    ...(plan && job.parameters.refreshOnly && { findings: findingsOf(plan) }),
  };
}

/** @returns the folder in which the engine works, on this machine */
async function prepare(work: Work): Promise<string> {
  const { job, inputs, room, seen, stopping } = work;
  const configuration = await untilStopped(inputs.configuration(), stopping.interrupted);
  await unpack(configuration, room.here.work, CONFIGURATION_BOUNDS, stopping.interrupted);
  const folder = workingDirectory(room.here.work, job.workspace.workingDirectory);
  checkConfiguration(folder, job);
  overrideBackend(folder, seen);
  selectWorkspace(folder, seen);
  writeFileSync(`${room.here.told}/${VARIABLES}`, variablesFile(job.variables), { mode: 0o600 });
  await placeState(work);
  return folder;
}

/** Facts that the apply needs. Values of ephemeral variables are not in the plan. */
function plannedOf(plan: PlanJson, { job, engine }: Work): Planned {
  const again = ephemeralVariables(job.variables, plan, engine);
  return {
    changesState: changesState(plan, job.parameters.refreshOnly),
    variables: again.length === 0 ? null : variablesFile(again),
  };
}

async function handOutPlan({ room, seen, outputs, log }: Work, steps: Steps): Promise<PlanJson> {
  const planPath = room.file('plan.json');
  await steps.toFile(showArguments(seen), planPath, MAX_PLAN_JSON);
  await outputs.planJson(contentOf(planPath));
  const schemasPath = room.file('schemas.json');
  await steps.toFile(schemaArguments(), schemasPath, MAX_SCHEMAS);
  const plan: PlanJson = parsed(planPath, 'show');
  const all: SchemasJson = parsed(schemasPath, 'providers schema');
  const schemas = schemasOf(plan, all);
  await outputs.schemas(contentOfText(JSON.stringify(schemas)));
  await outputs.redactedPlan(contentOfText(JSON.stringify(redactedPlan(plan, schemas, (text) => log.masked(text)))));
  return plan;
}

function parsed<T extends object>(path: string, step: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new JobFailure(`"${step}" did not print JSON`);
  }
}
