import { type ExactNumber, hasParts, isSameJson } from '../../../../../src/lib/exact-json/exact-json.ts';
import * as texts from '../texts.ts';

/** Parts of a state file, format 4, that the console reads. */
export interface StateFile {
  readonly version?: unknown;
  readonly serial?: unknown;
  readonly lineage?: unknown;
  readonly resources?: readonly FileResource[];
  readonly outputs?: Readonly<Record<string, { readonly value?: unknown; readonly sensitive?: boolean }>>;
}

interface FileResource {
  readonly module?: string;
  readonly mode?: string;
  readonly type?: string;
  readonly name?: string;
  readonly instances?: readonly FileInstance[];
}

interface FileInstance {
  readonly index_key?: string | number | ExactNumber;
  readonly deposed?: string;
  readonly attributes?: unknown;
  readonly sensitive_attributes?: readonly (readonly PathStep[] | PathStep)[];
}

/** Step of a path: `{"type":"get_attr","value":"password"}`, or `{"type":"index","value":{"value":0}}` for a list. */
interface PathStep {
  readonly type?: string;
  readonly value?: unknown;
}

/** Subject of a comparison: the attributes of one resource instance, or the value of one output. */
export interface Named {
  readonly kind: 'resource' | 'output';
  /** Address of an instance as the server writes it, or name of an output. */
  readonly name: string;
}

/** One changed value. Values are JSON text; undefined where a file has none. */
export interface ValueChange {
  /** For example `tags.Name` or `ingress[0].from_port`; empty for the whole value. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether its values are hidden. */
  readonly isSensitive: boolean;
}

export interface ValueChanges {
  readonly changes: readonly ValueChange[];
  /** Number of further changes. */
  readonly more: number;
}

/** Maximum number of changed values that one comparison shows, and maximum length of one value, characters. */
const MOST_CHANGES = 200;
const LONGEST = 2_000;
/** Maximum depth of the comparison, levels; deeper values are compared as a whole. */
const DEEPEST = 32;

/** Compares one resource instance or output in two state files. */
export function compareValues(before: StateFile, after: StateFile, named: Named): ValueChanges {
  const [one, other] = [valuesOf(before, named), valuesOf(after, named)];
  const sensitive = [...(one?.sensitive ?? []), ...(other?.sensitive ?? [])];
  const isWhole = (path: Path) => sensitive.some((secret) => isWithin(secret, path));
  const changes: ValueChange[] = [];
  let found = 0;
  for (const [path, old, now] of differing(...sides(one, other), [], isWhole)) {
    if (++found > MOST_CHANGES) continue;
    const isSensitive = sensitive.some((secret) => isWithin(secret, path) || isWithin(path, secret));
    const textOf = (value: unknown) => (value === undefined ? undefined : isSensitive ? '' : clipped(value));
    changes.push({ path: pathText(path), before: textOf(old), after: textOf(now), isSensitive });
  }
  return { changes, more: Math.max(0, found - MOST_CHANGES) };
}

type Path = readonly (string | number)[];

interface Values {
  readonly value: unknown;
  readonly sensitive: readonly Path[];
}

/** Compares a resource that only one file contains with an empty object, so that each attribute is listed. */
function sides(one: Values | undefined, other: Values | undefined): [before: unknown, after: unknown] {
  const nothing = (beside: Values | undefined) =>
    childrenOf(beside?.value) && !Array.isArray(beside?.value) ? {} : undefined;
  return [one ? one.value : nothing(other), other ? other.value : nothing(one)];
}

function valuesOf(file: StateFile, { kind, name }: Named): Values | undefined {
  if (kind === 'output') {
    const output = Object.hasOwn(file.outputs ?? {}, name) ? file.outputs?.[name] : undefined;
    return output && { value: output.value, sensitive: output.sensitive ? [[]] : [] };
  }
  for (const resource of file.resources ?? []) {
    if (resource.mode === 'data' || !name.includes(`${resource.type}.${resource.name}`)) continue;
    const instance = resource.instances?.find((one) => addressOf(resource, one) === name);
    if (instance) return { value: instance.attributes, sensitive: (instance.sensitive_attributes ?? []).map(pathOf) };
  }
  return undefined;
}

/** Returns the address of an instance as the server writes it. */
function addressOf({ module = '', type, name }: FileResource, { index_key: index, deposed }: FileInstance): string {
  const place = `${module && `${module}.`}${type}.${name}${index === undefined ? '' : `[${JSON.stringify(index)}]`}`;
  return deposed ? texts.deposed(place, deposed) : place;
}

function pathOf(steps: readonly PathStep[] | PathStep): Path {
  return [steps].flat().map(({ value }) => {
    const step = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    return typeof step === 'number' ? step : String(step);
  });
}

const isWithin = (outer: Path, inner: Path): boolean => outer.every((step, at) => inner[at] === step);

/**
 * Yields the differing values with their paths.
 * @param isWhole whether a value is compared as a whole: the names in a sensitive value may reveal secrets
 */
function* differing(
  before: unknown,
  after: unknown,
  path: Path,
  isWhole: (path: Path) => boolean,
): Generator<[path: Path, before: unknown, after: unknown]> {
  const [one, other] = [childrenOf(before), childrenOf(after)];
  if (isWhole(path) || !one || !other || Array.isArray(before) !== Array.isArray(after) || path.length === DEEPEST) {
    if (!isSameJson(before, after)) yield [path, before, after];
    return;
  }
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    yield* differing(one.get(key), other.get(key), [...path, key], isWhole);
  }
}

function childrenOf(value: unknown): ReadonlyMap<string | number, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.entries());
  return hasParts(value) ? new Map(Object.entries(value)) : undefined;
}

function clipped(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function pathText(path: Path): string {
  return path
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `${at > 0 ? '.' : ''}${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
}
