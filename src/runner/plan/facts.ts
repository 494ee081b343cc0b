import type { Counts, Findings } from '../ports.ts';
import { FindingsCounter } from './findings.ts';
import { readParts } from './json-parts.ts';
import {
  type Change,
  ChangeCounter,
  type CheckJson,
  type PlanJson,
  type ResourceChange,
  type VariableJson,
} from './plan-json.ts';
import { NamedTypes } from './schemas.ts';
import { StateChanges } from './state-changes.ts';

/** What a plan comes to. */
export interface PlanFacts {
  readonly counts: Counts;
  /** Of interest for a plan that only refreshes. */
  readonly findings: Findings;
  readonly types: NamedTypes;
  readonly changes: StateChanges;
  /** Root variables, as they are declared and what they are. */
  readonly inputs: PlanJson;
}

/** Reads the facts of a plan, as `show -json` printed it. @throws JobFailure where it is no JSON */
export async function factsOf(path: string): Promise<PlanFacts> {
  const [counter, findings, types, changes] = [
    new ChangeCounter(),
    new FindingsCounter(),
    new NamedTypes(),
    new StateChanges(),
  ];
  const [variables, declared] = [new Map<string, { value?: unknown }>(), new Map<string, VariableJson>()];
  await readParts(path, 'show', [
    {
      at: ['resource_changes', '*'],
      take(value) {
        const resource = value as ResourceChange;
        counter.take(resource);
        changes.resource(resource);
        types.take(resource);
      },
    },
    {
      at: ['resource_drift', '*'],
      take(value) {
        findings.drift(value as ResourceChange);
        changes.drift();
        types.take(value as ResourceChange);
      },
    },
    { at: ['output_changes', '*'], take: (value) => changes.output(value as Change) },
    { at: ['checks', '*'], take: (value) => findings.check(value as CheckJson) },
    {
      at: ['prior_state', 'values', 'root_module', 'resources', '*', 'mode'],
      nested: 'child_modules',
      take: (mode) => findings.found(mode),
    },
    { at: ['variables', '*'], take: (value, [, name = '']) => variables.set(name, value as { value?: unknown }) },
    {
      at: ['configuration', 'root_module', 'variables', '*'],
      take: (value, [, , , name = '']) => declared.set(name, value as VariableJson),
    },
  ]);
  return {
    ...{ counts: counter.counts, findings: findings.findings, types, changes },
    inputs: {
      variables: Object.fromEntries(variables),
      configuration: { root_module: { variables: Object.fromEntries(declared) } },
    },
  };
}
