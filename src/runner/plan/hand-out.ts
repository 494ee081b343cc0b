import { MAX_PLAN_JSON } from '../../lib/job/limits.ts';
import { schemaArguments, showArguments } from '../engine/arguments.ts';
import type { Steps } from '../engine/steps.ts';
import { contentOf, type Work } from '../work.ts';
import { factsOf, type PlanFacts } from './facts.ts';
import { writeRedactedPlan } from './redaction.ts';
import { Schemas } from './schemas.ts';

/** @limit schemas of all providers of a configuration, bytes -> the run fails with this reason */
const MAX_SCHEMAS = 402_653_184;

/**
 * Uploads a plan in all forms that users need. Reads the output of the engine as a stream, because it may be larger
 * than the heap.
 */
export async function handOutPlan(
  { job, directory, engineFolders, outputs, log }: Work,
  steps: Steps,
): Promise<PlanFacts> {
  const plan = directory.file('plan.json');
  await steps.toFile(showArguments(engineFolders), plan, MAX_PLAN_JSON);
  await outputs.planJson(contentOf(plan));
  const printed = directory.file('schemas.json');
  await steps.toFile(schemaArguments(), printed, MAX_SCHEMAS);
  const facts = await factsOf(plan, job.parameters.refreshOnly);
  const schemas = await Schemas.read(printed, facts.types);
  const [needed, redacted] = [directory.file('needed-schemas.json'), directory.file('redacted-plan.json')];
  schemas.write(needed);
  await outputs.schemas(contentOf(needed));
  await writeRedactedPlan(plan, redacted, schemas, (text) => log.masked(text));
  await outputs.redactedPlan(contentOf(redacted));
  return facts;
}
