import type { Counts, Findings } from '../ports.ts';
import { FindingsCounter } from './findings.ts';
import { type Part, readParts } from './json-parts.ts';
import {
  type Change,
  ChangeCounter,
  type CheckJson,
  changesState,
  type ResourceChange,
  type VariableJson,
} from './plan-json.ts';
import { NamedTypes } from './schemas.ts';

/** Result of a plan: counts, findings and the types that it names. */
export interface PlanFacts {
  readonly counts: Counts;
  /** Drift findings. They are used for refresh-only plans. */
  readonly findings: Findings;
  readonly types: NamedTypes;
  /** Whether the apply creates a new version of the state. */
  readonly changesState: boolean;
  readonly variables: PlannedVariables;
}

/** Root variables of the configuration, by name. */
export interface PlannedVariables {
  readonly declared: ReadonlyMap<string, VariableJson>;
  /** Values in the plan. An ephemeral variable has its default, or is absent. */
  readonly values: ReadonlyMap<string, unknown>;
}

/**
 * Reads facts from the output of `show -json`.
 * @param refreshOnly whether the plan only accepts drift into the state
 * @throws JobFailure if the file is not JSON
 */
export async function factsOf(path: string, refreshOnly = false): Promise<PlanFacts> {
  const [counter, findings, types] = [new ChangeCounter(), new FindingsCounter(), new NamedTypes()];
  const variables = { declared: new Map<string, VariableJson>(), values: new Map<string, unknown>() };
  let isChanged = false;
  const resources = (at: string, count: (change: ResourceChange) => void): Part => ({
    at: [at, '*'],
    take: (value) => {
      count(value as ResourceChange);
      types.take(value as ResourceChange);
    },
  });
  await readParts(path, 'show', [
    resources('resource_changes', (resource) => {
      counter.take(resource);
      isChanged ||= changesState(resource.change) || resource.previous_address !== undefined;
    }),
    resources('resource_drift', (resource) => {
      findings.drift(resource);
      isChanged ||= refreshOnly;
    }),
    {
      at: ['output_changes', '*'],
      take: (change) => {
        isChanged ||= changesState(change as Change);
      },
    },
    {
      at: ['variables', '*'],
      take: (one, [, name = '']) => variables.values.set(name, (one as { value?: unknown }).value),
    },
    {
      at: ['configuration', 'root_module', 'variables', '*'],
      take: (one, keys) => variables.declared.set(keys.at(-1) ?? '', one as VariableJson),
    },
    { at: ['checks', '*'], take: (value) => findings.check(value as CheckJson) },
    {
      at: ['prior_state', 'values', 'root_module', 'resources', '*', 'mode'],
      nested: 'child_modules',
      take: (mode) => findings.found(mode),
    },
  ]);
  return { counts: counter.counts, findings: findings.findings, types, changesState: isChanged, variables };
}
