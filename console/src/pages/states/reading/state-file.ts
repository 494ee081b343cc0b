import { type ExactNumber, hasParts, isSameJson } from '../../../../../src/lib/exact-json/exact-json.ts';

/** A state as a file, as far as it is looked at (format 4). */
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

/** `{"type":"get_attr","value":"password"}`, or of a list `{"type":"index","value":{"value":0}}`. */
interface PathStep {
  readonly type?: string;
  readonly value?: unknown;
}

/** What is compared: attributes of one resource, or the value of one output. */
export interface Named {
  readonly kind: 'resource' | 'output';
  /** The address of an instance, as the server says it; the name of an output. */
  readonly name: string;
}

/** One value that differs; texts are JSON. Undefined where there was none. */
export interface ValueChange {
  /** `tags.Name`, `ingress[0].from_port`; empty for the whole. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Its values are kept back. */
  readonly isSensitive: boolean;
}

export interface ValueChanges {
  readonly changes: readonly ValueChange[];
  /** How many more there are. */
  readonly more: number;
}

/** What one comparison shows: values, and characters of one of them. */
const MOST_CHANGES = 200;
const LONGEST = 2_000;
/** Levels that are looked into; below them a value is one. */
const DEEPEST = 32;

/** What of one thing differs between two files. */
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

/** What only one file has is told attribute by attribute, as what both have. */
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

/** As the server writes it. */
function addressOf({ module = '', type, name }: FileResource, { index_key: index, deposed }: FileInstance): string {
  const place = `${module && `${module}.`}${type}.${name}${index === undefined ? '' : `[${JSON.stringify(index)}]`}`;
  return deposed ? `${place} (deposed ${deposed})` : place;
}

function pathOf(steps: readonly PathStep[] | PathStep): Path {
  return [steps].flat().map(({ value }) => {
    const step = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    return typeof step === 'number' ? step : String(step);
  });
}

const isWithin = (outer: Path, inner: Path): boolean => outer.every((step, at) => inner[at] === step);

/** @param isWhole whether a value is not to be looked into: the names in a sensitive one may be as telling */
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
