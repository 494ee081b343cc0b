import { Compile } from 'typebox/compile';
import { shownAddress } from '../lib/address/bare-address.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigTree, configSchema, type GivenTree } from './config-schema.ts';
import type { RawConfig } from './config-sources.ts';

const compiled = Compile(configSchema);

/**
 * Step 2 of 3: checks that every key is known and every value matches the schema, and fills in defaults.
 * @throws ConfigError that lists each key, what was found and what is allowed.
 */
export function validateConfig({ tree, origins }: RawConfig): { readonly given: GivenTree; readonly tree: ConfigTree } {
  if (compiled.Check(tree)) return { given: tree, tree: compiled.Default(structuredClone(tree)) as ConfigTree };
  throw problemsIn(tree, [...compiled.Errors(tree)], configSchema as SchemaNode, origins);
}

/**
 * Returns a ConfigError message with one line for each invalid setting.
 * @param errors of the schema check
 */
export function problemsIn(
  tree: unknown,
  errors: readonly SchemaError[],
  schema: SchemaNode,
  origins: ReadonlyMap<string, string>,
): ConfigError {
  const problems = new Map<string, string>();
  for (const error of errors) {
    for (const [path, text] of describe(error, tree, schema)) {
      const key = keyOf(path);
      if (key === '' || problems.has(key)) continue;
      const origin = origins.get(key);
      problems.set(key, `${key}${origin ? ` (from ${origin})` : ''}: ${text}`);
    }
  }
  return new ConfigError([...problems.values()].join('\n'));
}

/** Returns the line of one invalid setting. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

function describe(error: SchemaError, tree: unknown, schema: SchemaNode): [path: string, text: string][] {
  const { keyword, instancePath: path } = error;
  if (keyword === 'boolean') return [];
  if (keyword === 'additionalProperties') {
    const names = (error.params as { additionalProperties: string[] }).additionalProperties;
    const allowed = Object.keys(schemaAt(schema, path).properties ?? {}).join(', ');
    return names.map((name) => [`${path}/${name}`, `unknown key; allowed: ${allowed}`]);
  }
  if (keyword === 'required') {
    const names = (error.params as { requiredProperties: string[] }).requiredProperties;
    return names.map((name) => [`${path}/${name}`, `missing; allowed: ${allowedAt(schema, `${path}/${name}`)}`]);
  }
  const found = schemaAt(schema, path).secret ? 'something else' : foundText(valueAt(tree, path));
  return [[path, `found ${found.slice(0, 100)}; allowed: ${allowedAt(schema, path)}`]];
}

/** Returns the value for the message. Mappings and lists are not repeated, because they may hold secrets. */
function foundText(value: unknown): string {
  const isPlain = (one: unknown) => typeof one !== 'object' || one === null;
  if (!isPlain(value) && !(Array.isArray(value) && value.every(isPlain)))
    return Array.isArray(value) ? 'a list' : 'a mapping';
  const shown = (one: unknown) => (typeof one === 'string' ? shownAddress(one) : one);
  return JSON.stringify(Array.isArray(value) ? value.map(shown) : shown(value)) ?? 'nothing';
}

/** Parts of a schema that messages use. */
export interface SchemaNode {
  readonly type?: string;
  readonly allowed?: string;
  readonly secret?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

function schemaAt(schema: SchemaNode, path: string): SchemaNode {
  let node = schema;
  for (const key of path.split('/').slice(1)) {
    const next =
      node.items && /^\d+$/.test(key)
        ? { ...node.items, allowed: node.items.allowed ?? node.allowed }
        : node.properties?.[key];
    if (!next) return node;
    node = next as SchemaNode;
  }
  return node;
}

function allowedAt(schema: SchemaNode, path: string): string {
  const node = schemaAt(schema, path);
  if (node.allowed) return node.allowed;
  if (node.type === 'array') return 'a list';
  return `a mapping with ${Object.keys(node.properties ?? {}).join(', ')}`;
}

function valueAt(tree: unknown, path: string): unknown {
  let value = tree;
  for (const key of path.split('/').slice(1)) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Converts a JSON pointer to a setting: `/listeners/0/address` becomes `listeners[0].address`. */
function keyOf(path: string): string {
  return path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}
