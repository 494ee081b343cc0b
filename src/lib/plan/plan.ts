import { hasParts, isSameJson } from '../exact-json/exact-json.ts';
import * as texts from './texts.ts';

/** Operation on a resource, planned or done. */
export type Operation = 'add' | 'change' | 'replace' | 'destroy' | 'read' | 'import' | 'move' | 'forget' | 'none';

/** One change of a plan. */
export interface Change {
  /** Resource address, or output name. */
  readonly address: string;
  readonly operation: Operation;
  /** Additional text: previous address, import ID, reason. */
  readonly note: string;
  /** Change as the engine reports it. */
  readonly of: Raw;
}

/** A plan as a page shows it. */
export interface Plan {
  readonly resources: readonly Change[];
  readonly outputs: readonly Change[];
  /** Changes made outside of the configuration. */
  readonly drift: readonly Change[];
  /** Number of unchanged resources. */
  readonly unchanged: number;
}

interface Raw {
  readonly actions?: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly after_unknown?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly importing?: { readonly id?: string } | null;
}

interface RawResource {
  readonly address?: string;
  readonly previous_address?: string;
  readonly deposed?: string;
  readonly mode?: string;
  readonly action_reason?: string;
  readonly change?: Raw;
}

interface RawPlan {
  readonly resource_changes?: readonly RawResource[];
  readonly resource_drift?: readonly RawResource[];
  readonly output_changes?: Readonly<Record<string, Raw>>;
}

/** @throws Error if the document is no plan */
export function readPlan(json: unknown): Plan {
  const plan = json as RawPlan | null;
  if (typeof plan !== 'object' || plan === null || !Array.isArray(plan.resource_changes)) {
    throw new Error(texts.theDocumentIsNot);
  }
  const all = plan.resource_changes.map(changeOf);
  const drift = (plan.resource_drift ?? []).map(changeOf);
  const outputs = Object.entries(plan.output_changes ?? {}).map(([address, of]) => ({
    ...{ address, note: '', of },
    operation: operationOf(of.actions ?? []),
  }));
  return {
    resources: all.filter(({ operation }) => operation !== 'none'),
    unchanged: all.filter(({ operation }) => operation === 'none').length,
    outputs: outputs.filter(({ operation }) => operation !== 'none'),
    drift: drift.filter(({ operation }) => operation !== 'none'),
  };
}

function changeOf(resource: RawResource): Change {
  const { address = '', deposed, previous_address: was, change: of = {} } = resource;
  const plain = operationOf(of.actions ?? []);
  const isMoved = was !== undefined && was !== address;
  const operation = plain !== 'none' ? plain : of.importing ? 'import' : isMoved ? 'move' : 'none';
  const notes = [
    ...(isMoved ? [texts.was(was)] : []),
    ...(of.importing ? [texts.imported(of.importing.id ? texts.withId(of.importing.id) : '')] : []),
    ...(deposed ? [texts.leftOverFromAReplacement] : []),
    ...(resource.action_reason ? [REASONS[resource.action_reason] ?? resource.action_reason.replaceAll('_', ' ')] : []),
  ];
  return { address, operation, note: notes.join(', '), of };
}

const REASONS: Readonly<Record<string, string>> = {
  replace_because_tainted: texts.tainted,
  replace_because_cannot_update: texts.cannotBeChangedInPlace,
  replace_by_request: texts.requestedByTheUser,
  replace_by_triggers: texts.replacementTriggered,
  delete_because_no_resource_config: texts.notInTheConfiguration,
  delete_because_no_module: texts.itsModuleIsNot,
  delete_because_count_index: texts.indexBeyondCount,
  delete_because_each_key: texts.keyRemovedFromForEach,
  delete_because_wrong_repetition: texts.countOrForEachChanged,
  read_because_config_unknown: texts.configurationKnownOnlyAfterApply,
  read_because_dependency_pending: texts.dependsOnPendingChanges,
};

function operationOf(actions: readonly string[]): Operation {
  const has = (action: string) => actions.includes(action);
  if (has('create') && has('delete')) return 'replace';
  if (has('create')) return 'add';
  if (has('delete')) return 'destroy';
  if (has('update')) return 'change';
  if (has('read')) return 'read';
  return has('forget') ? 'forget' : 'none';
}

/** Counts changes by operation, in display order. A replacement counts once. */
export function countsOf(changes: readonly Change[]): readonly (readonly [Operation, number])[] {
  const order: readonly Operation[] = ['add', 'change', 'replace', 'destroy', 'import', 'move', 'forget', 'read'];
  const count = (operation: Operation) => changes.filter((one) => one.operation === operation).length;
  return order.map((operation) => [operation, count(operation)] as const).filter(([, number]) => number > 0);
}

/** One changed attribute, with its values as text; undefined if the attribute does not exist on that side. */
export interface Attribute {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly is: 'plain' | 'sensitive' | 'unknown';
}

/** Changed attributes of a resource, and the number of unchanged ones. */
export interface Attributes {
  readonly changed: readonly Attribute[];
  readonly unchanged: number;
}

const SENSITIVE = texts.sensitive;
const UNKNOWN = texts.knownAfterApply;

/** @param of values before and after; nested attributes get a path: `tags.owner` */
export function attributesOf({ before, after, after_unknown: unknown, ...marks }: Raw): Attributes {
  const changed: Attribute[] = [];
  let unchanged = 0;
  const sensitive = [marks.before_sensitive, marks.after_sensitive];

  function compare(name: string, one: unknown, other: unknown, later: unknown, hidden: readonly unknown[]): void {
    const isHidden = hidden.includes(true);
    const isLater = later === true;
    if (!isHidden && !isLater && canBeParted(one, other, later)) {
      for (const key of keysOf(one, other, later)) {
        compare(
          name === '' ? key : `${name}${Array.isArray(one ?? other ?? later) ? `[${key}]` : `.${key}`}`,
          at(one, key),
          at(other, key),
          at(later, key),
          hidden.map((mark) => at(mark, key)),
        );
      }
      return;
    }
    if (isNothing(one) && isNothing(other) && !isLater) return;
    if (!isLater && isSame(one, other)) {
      unchanged += 1;
      return;
    }
    changed.push({
      name,
      before: isNothing(one) ? undefined : isHidden ? SENSITIVE : shown(one),
      after: isLater ? UNKNOWN : isNothing(other) ? undefined : isHidden ? SENSITIVE : shown(other),
      is: isHidden ? 'sensitive' : isLater ? 'unknown' : 'plain',
    });
  }

  compare('', before, after, unknown, sensitive);
  return { changed, unchanged };
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (hasParts(value) && Object.keys(value).length === 0);
const at = (value: unknown, key: string): unknown =>
  hasParts(value) && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;

/**
 * Whether to compare parts: objects and lists of objects of the same type. A list of plain values is compared as one
 * value.
 */
function canBeParted(one: unknown, other: unknown, later: unknown): boolean {
  const sides = [one, other].filter((side) => !isNothing(side));
  if (sides.length === 0) return hasParts(later) && Object.values(later).some((part) => part !== false);
  if (!sides.every(hasParts) || new Set(sides.map(Array.isArray)).size > 1) return false;
  return sides.every((side) => !Array.isArray(side) || side.some(hasParts));
}

const keysOf = (...sides: readonly unknown[]): readonly string[] => [
  ...new Set(sides.flatMap((side) => (hasParts(side) ? Object.keys(side) : []))),
];

const isSame = (one: unknown, other: unknown): boolean =>
  (isNothing(one) && isNothing(other)) || isSameJson(one, other);

/** @limit value of an attribute that the console and the command line show of a plan, characters -> shortened */
const LONGEST_VALUE = 2_000;

function shown(value: unknown): string {
  const text = typeof value === 'string' && value.includes('\n') ? value : (JSON.stringify(value) ?? '');
  return text.length <= LONGEST_VALUE ? text : texts.characters(text.slice(0, LONGEST_VALUE), text.length);
}
