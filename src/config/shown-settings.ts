import { configSchema } from './config-schema.ts';
import { readConfig, type Sources } from './config-sources.ts';
import type { SchemaNode } from './config-validation.ts';

/** In place of what is not shown. */
const TAKEN_OUT = '[taken out]';
/** Whoever has one is known to a cloud by it. */
const NAMES_SOMEBODY = new Set(['access_key_id']);

/**
 * The settings as they were given, for others to read: without secrets, and without what is no setting, of which nobody knows what it
 * is.
 * @throws ConfigError for what is no mapping in YAML
 */
export function shownSettings(sources: Sources): Readonly<Record<string, unknown>> {
  const shown = shownValue(readConfig(sources).tree, configSchema as SchemaNode);
  return shown as Readonly<Record<string, unknown>>;
}

function shownValue(value: unknown, schema: SchemaNode | undefined): unknown {
  if (schema === undefined || schema.secret) return TAKEN_OUT;
  if (Array.isArray(value)) return schema.items ? value.map((item) => shownValue(item, schema.items)) : TAKEN_OUT;
  if (typeof value !== 'object' || value === null) return schema.properties ? TAKEN_OUT : value;
  const { properties } = schema;
  if (properties === undefined) return TAKEN_OUT;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isKnown = Object.hasOwn(properties, key) && !NAMES_SOMEBODY.has(key);
      return [key, isKnown ? shownValue(member, properties[key]) : TAKEN_OUT];
    }),
  );
}
