import { hasParts } from '../../lib/exact-json/exact-json.ts';
import { usageError } from '../errors/command-error.ts';
import type { Shown } from './shown.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the names of the option `--json`. @throws CommandError for an empty list */
export function fieldNames(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) throw usageError(`--json ${list}: expected names separated by commas`);
  return names;
}

/**
 * Returns only these fields: an object, or a list of objects. A field is one of the table, or an attribute of the
 * resource; dots select nested fields.
 * @throws CommandError that lists the fields, for an unknown name
 */
export function selected({ whole, brief }: Shown, names: readonly string[]): unknown {
  const data = dataIn(whole);
  if (!Array.isArray(brief)) return pick(brief, data, names);
  return brief.map((row, index) => pick(row, Array.isArray(data) ? data[index] : undefined, names));
}

function pick(row: unknown, resource: unknown, names: readonly string[]): Fields {
  const known: Fields = { ...attributesIn(resource), ...fieldsIn(row) };
  return Object.fromEntries(names.map((name) => [name, fieldOf(known, name)]));
}

function fieldOf(known: Fields, name: string): unknown {
  const value = lookUp(known, name);
  if (value !== undefined) return value;
  // A row lacks what does not apply to it; a name that no row has is a mistake.
  if (Object.hasOwn(known, name)) return null;
  const names = Object.keys(known).toSorted().join(', ');
  throw usageError(`there is no field ${name}. Fields: ${names}`);
}

/** Returns the content of either API's response: `data`, or the whole response. */
function dataIn(whole: unknown): unknown {
  return (fieldsIn(whole).data ?? whole) as unknown;
}

function attributesIn(resource: unknown): Fields {
  const { attributes, ...others } = fieldsIn(resource);
  const { relationships: _, links: __, ...own } = others;
  return { ...own, ...fieldsIn(attributes) };
}

function fieldsIn(value: unknown): Fields {
  return hasParts(value) && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns a field, also a nested one; undefined if there is none. Names may contain dots: the whole name comes first. */
export function lookUp(value: unknown, name: string): unknown {
  if (!hasParts(value)) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, name.slice(0, dot))) return undefined;
  return lookUp((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}
