import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { MAX_PLAN_JSON } from '../lib/job/limits.ts';
import { CONFIGURATION_BOUNDS } from './archive/bounds.ts';
import { unpack } from './archive/unpack.ts';
import { handOutFolder } from './carried-folder.ts';
import { initArguments, planArguments, schemaArguments, showArguments } from './engine/arguments.ts';
import type { Steps } from './engine/steps.ts';
import { overrideBackend, workingDirectory } from './input/configuration.ts';
import { variablesFile } from './input/variables-file.ts';
import { findingsOf } from './plan/findings.ts';
import { countsOf, type PlanJson } from './plan/plan-json.ts';
import { redactedPlan } from './plan/redaction.ts';
import { type SchemasJson, schemasOf } from './plan/schemas.ts';
import { type JobEnd, JobFailure } from './ports.ts';
import { untilStopped } from './until-stopped.ts';
import { contentOf, contentOfText, placeState, planFile, stateFile, type Work } from './work.ts';

/** @limit the schemas of all providers of a configuration, bytes -> the run fails, and says so */
const MAX_SCHEMAS = 402_653_184;
const VARIABLES = 'variables.tfvars';
/** Of a plan that asks for a detailed exit code. */
const HAS_CHANGES = 2;

/** Plans a configuration, and hands out the plan in all forms that people and the apply need. */
export async function planJob(work: Work): Promise<JobEnd> {
  const { job, log, room, seen } = work;
  const steps = work.steps(await prepare(work));
  const init = await steps.init(initArguments(job), (bytes) => log.write(bytes));
  if (init !== 0) return { kind: 'finished', step: 'init', exit: init, hasChanges: null, counts: null };
  const args = planArguments(job, `${seen.told}/${VARIABLES}`, planFile(seen));
  const exit = await steps.shown(args, (bytes) => log.write(bytes));
  await log.end();
  const isPlanned = exit === 0 || exit === HAS_CHANGES;
  // One that went wrong may have left a plan, which says what it generated.
  const hasPlan = existsSync(planFile(room.here));
  if (isPlanned && !hasPlan) throw new JobFailure('The engine says that it planned, and left no plan');
  const plan = hasPlan ? await handOutPlan(work, steps) : null;
  if (isPlanned && hasPlan && job.keepFolder) await handOutFolder(work);
  return {
    kind: 'finished',
    step: 'plan',
    exit: isPlanned ? 0 : exit,
    hasChanges: isPlanned ? exit === HAS_CHANGES : null,
    counts: plan && countsOf(plan),
    ...(plan && job.parameters.refreshOnly && { findings: findingsOf(plan) }),
  };
}

/** @returns where the engine works, as it sees that */
async function prepare(work: Work): Promise<string> {
  const { job, inputs, room, seen, stopping } = work;
  const configuration = await untilStopped(inputs.configuration(), stopping.interrupted);
  await unpack(configuration, room.here.work, CONFIGURATION_BOUNDS, stopping.interrupted);
  const folder = workingDirectory(room.here.work, job.workspace.workingDirectory);
  overrideBackend(folder, stateFile(seen));
  writeFileSync(`${room.here.told}/${VARIABLES}`, variablesFile(job.variables), { mode: 0o600 });
  await placeState(work);
  return [seen.work, relative(room.here.work, folder)].filter(Boolean).join('/');
}

async function handOutPlan({ room, seen, outputs, log }: Work, steps: Steps): Promise<PlanJson> {
  const planPath = room.file('plan.json');
  await steps.toFile(showArguments(planFile(seen)), planPath, MAX_PLAN_JSON);
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
