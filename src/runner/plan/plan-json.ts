import type { Counts } from '../ports.ts';

/** What `show -json` says of a plan, as far as it is read here. */
export interface PlanJson {
  readonly format_version?: string;
  readonly resource_changes?: readonly ResourceChange[];
  readonly resource_drift?: readonly ResourceChange[];
  readonly relevant_attributes?: unknown;
  readonly output_changes?: Readonly<Record<string, Change>>;
  /** Values of root variables. An ephemeral one has its default here, or is absent. */
  readonly variables?: Readonly<Record<string, { readonly value?: unknown }>>;
  readonly configuration?: { readonly root_module?: { readonly variables?: Readonly<Record<string, VariableJson>> } };
  /** What is there, as the plan found it. */
  readonly prior_state?: { readonly values?: { readonly root_module?: ModuleJson } };
  readonly checks?: readonly CheckJson[];
}

/** A root variable of the configuration. Only OpenTofu says whether it is ephemeral. */
export interface VariableJson {
  readonly default?: unknown;
  readonly ephemeral?: boolean;
}

/** A module of a state, with those that it calls. */
export interface ModuleJson {
  readonly resources?: readonly { readonly mode: string }[];
  readonly child_modules?: readonly ModuleJson[];
}

/** A condition of the configuration, and how it turned out: `pass`, `fail`, `error`, `unknown`. */
export interface CheckJson {
  readonly status: string;
  readonly instances?: readonly { readonly status: string }[];
}

/** What is to happen to a resource. */
export interface ResourceChange {
  readonly mode: string;
  readonly type: string;
  readonly provider_name: string;
  /** Where it moves from. */
  readonly previous_address?: string;
  readonly change: Change;
}

/** A value before and after; `…_sensitive` has true where that value is sensitive, in the same shape. */
export interface Change {
  readonly actions: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly after_unknown?: unknown;
  readonly importing?: unknown;
}

/** How many resources a plan adds, changes, removes and imports. A replacement is one added and one removed. */
export function countsOf({ resource_changes: all = [] }: PlanJson): Counts {
  const changes = all.filter(({ mode }) => mode === 'managed').map(({ change }) => change);
  const having = (action: string): number => changes.filter(({ actions }) => actions.includes(action)).length;
  return {
    add: having('create'),
    change: having('update'),
    remove: having('delete'),
    import: changes.filter(({ importing }) => importing !== undefined && importing !== null).length,
  };
}

/**
 * Whether to apply a plan makes a new version of the state.
 * @param refreshOnly it takes over what has changed elsewhere, and nothing else
 */
export function changesState(plan: PlanJson, refreshOnly: boolean): boolean {
  const { resource_changes: resources = [], output_changes: outputs = {}, resource_drift: drift = [] } = plan;
  return (
    resources.some(({ change, previous_address: before }) => isChange(change) || before !== undefined) ||
    Object.values(outputs).some(isChange) ||
    (refreshOnly && drift.length > 0)
  );
}

const UNCHANGED = new Set(['no-op', 'read']);

/** An output that has no value, before and after, is in no state. */
function isChange({ actions, importing, before, after, after_unknown: unknown }: Change): boolean {
  if (importing !== undefined && importing !== null) return true;
  const isNothing = (before ?? null) === null && (after ?? null) === null && (unknown ?? false) === false;
  return !isNothing && actions.some((action) => !UNCHANGED.has(action));
}
