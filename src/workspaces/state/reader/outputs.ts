import { isJsonNumber } from '../../../lib/exact-json/exact-json.ts';

/** An output value of a state. */
export interface Output {
  readonly name: string;
  readonly sensitive: boolean;
  /** Parsed with exact numbers (`ExactNumber`). */
  readonly value: unknown;
  /** Type in the engine's notation: `"string"`, `["list","string"]`. Undefined when the value is unknown. */
  readonly detailedType?: unknown;
}

/**
 * Parses one output of a state or of a client's list. An invalid output has no value and no type: see `detailedType`.
 */
export function outputOf(name: string, given: unknown): Output {
  if (typeof given !== 'object' || given === null || !('value' in given)) return { name, sensitive: true, value: null };
  const { value, type, sensitive } = given as Readonly<Record<string, unknown>>;
  return { name, sensitive: sensitive === true, value, detailedType: type ?? typeOf(value) };
}

/** States of old engines have no types. */
function typeOf(value: unknown): unknown {
  if (typeof value === 'boolean') return 'bool';
  if (isJsonNumber(value)) return 'number';
  if (typeof value === 'string') return 'string';
  return 'dynamic';
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  list: 'array',
  set: 'array',
  tuple: 'array',
  map: 'object',
  object: 'object',
};

/** Returns the short name of a type. */
export function shortType({ detailedType: type }: Output): string {
  if (typeof type === 'string') return type;
  const [kind] = Array.isArray(type) ? type : [];
  return COLLECTIONS[kind] ?? 'unknown';
}

/** Returns the id of an output: the version's id and the output's index by name. No row is needed. */
export function outputId(stateVersionId: string, index: number): string {
  return `wsout-${stateVersionId.slice('sv-'.length)}-${index}`;
}

const OUTPUT_ID = /^wsout-([1-9A-HJ-NP-Za-km-z]{16})-(0|[1-9]\d{0,4})$/;

/** Returns the version of an output id, and the output's index in it. */
export function parseOutputId(id: string): { stateVersionId: string; index: number } | undefined {
  const [, version, index] = OUTPUT_ID.exec(id) ?? [];
  return version === undefined ? undefined : { stateVersionId: `sv-${version}`, index: Number(index) };
}

/** Returns the ids of all outputs of a version. */
export function outputIds(stateVersionId: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => outputId(stateVersionId, index));
}
