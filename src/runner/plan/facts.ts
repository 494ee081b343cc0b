import type { Counts, Findings } from '../ports.ts';
import { FindingsCounter } from './findings.ts';
import { type Part, readParts } from './json-parts.ts';
import { ChangeCounter, type CheckJson, type ResourceChange } from './plan-json.ts';
import { NamedTypes } from './schemas.ts';

/** What a plan comes to. */
export interface PlanFacts {
  readonly counts: Counts;
  /** Of interest for a plan that only refreshes. */
  readonly findings: Findings;
  readonly types: NamedTypes;
}

/** Counts what stands in a plan, as `show -json` printed it. @throws JobFailure where it is no JSON */
export async function factsOf(path: string): Promise<PlanFacts> {
  const [counter, findings, types] = [new ChangeCounter(), new FindingsCounter(), new NamedTypes()];
  const resources = (at: string, count: (change: ResourceChange) => void): Part => ({
    at: [at, '*'],
    take: (value) => {
      count(value as ResourceChange);
      types.take(value as ResourceChange);
    },
  });
  await readParts(path, 'show', [
    resources('resource_changes', (change) => counter.take(change)),
    resources('resource_drift', (change) => findings.drift(change)),
    { at: ['checks', '*'], take: (value) => findings.check(value as CheckJson) },
    {
      at: ['prior_state', 'values', 'root_module', 'resources', '*', 'mode'],
      nested: 'child_modules',
      take: (mode) => findings.found(mode),
    },
  ]);
  return { counts: counter.counts, findings: findings.findings, types };
}
