import { resolve } from 'node:path';
import { bareAddress, TAKEN_OUT } from '../lib/address/bare-address.ts';
import { ConfigError } from './config-error.ts';
import { configSchema } from './config-schema.ts';
import { readConfig, type Sources } from './config-sources.ts';
import type { SchemaNode } from './config-validation.ts';

/** Whoever has one is known to a cloud by it. */
const NAMES_SOMEBODY = new Set(['access_key_id']);
const SECRET_FILE = /^(keyring|private_key|key|token|pin|.*secret.*)_file$/;
/** Of what is no setting: shorter ones may be any word. */
const SHORTEST_UNKNOWN = 8;
/** A part of an address that is no word: it is taken out wherever it stands, without its address too. */
const TOKEN = /^(?=.*\d).{8,}$|^.{16,}$/;
/** The same of all that is behind a host: shorter ones are the beginning of many paths. */
const LONG_END = 16;

/**
 * The settings as they were given, for others to read: without secrets, and without what is no setting, of which nobody knows what it
 * is.
 * @throws ConfigError for what is no mapping in YAML
 */
export function shownSettings(sources: Sources): unknown {
  return shownValue(readConfig(sources).tree, ROOT, () => {});
}

/** What must not be shown: texts, and files that hold such (absolute). */
export interface Sensitive {
  readonly texts: readonly string[];
  readonly files: readonly string[];
}

/** Of settings of whatever sort, those that cannot be used too. @param directory that of the file */
export function sensitiveSettings(sources: Sources, directory: string): Sensitive {
  const [texts, files]: [string[], string[]] = [[], []];
  shownValue(treeOf(sources), ROOT, (text, isSetting) => {
    if (isSetting || text.length >= SHORTEST_UNKNOWN) texts.push(text);
  });
  for (const [key, text] of leavesOf(treeOf(sources))) if (SECRET_FILE.test(key)) files.push(resolve(directory, text));
  return { texts, files };
}

const ROOT = configSchema as SchemaNode;

/** Of a text that cannot be read: its lines, each for itself. */
function treeOf(sources: Sources): Record<string, unknown> {
  try {
    return readConfig(sources).tree;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = [...sources.file.matchAll(/([\w-]+)["']?\s*:\s*["']?([^\s"',}\]]+)/g)];
    return Object.fromEntries(
      lines.map(([, key = '', value], index) => [SECRET_FILE.test(key) ? key : `${index}`, value]),
    );
  }
}

/** @param takenOut told of each text that is not shown, and whether it is a setting */
function shownValue(
  value: unknown,
  schema: SchemaNode | undefined,
  takenOut: (text: string, isSetting: boolean) => void,
): unknown {
  const { properties, items, secret } = schema ?? {};
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(value) && items) return value.map((item) => shownValue(item, items, takenOut));
  if (isMapping && properties) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, shownValue(member, memberOf(properties, key), takenOut)]),
    );
  }
  const isPlain = typeof value !== 'object' || value === null;
  if (schema && !secret && isPlain && !properties && !items) return shownLeaf(value, takenOut);
  for (const [, text] of leavesOf(value)) takenOut(text, secret === true);
  return TAKEN_OUT;
}

/** Of an address its host: what is behind it may be what its owner knows us by. */
function shownLeaf(value: unknown, takenOut: (text: string, isSetting: boolean) => void): unknown {
  const address = typeof value === 'string' ? bareAddress(value) : undefined;
  if (address === undefined) return value;
  for (const part of address.end.split(/[/?#&=]/)) if (TOKEN.test(part)) takenOut(part, true);
  if (address.end.length >= LONG_END) takenOut(address.end, true);
  return address.shown;
}

function memberOf(properties: NonNullable<SchemaNode['properties']>, key: string): SchemaNode | undefined {
  if (!Object.hasOwn(properties, key)) return undefined;
  const member = properties[key];
  return NAMES_SOMEBODY.has(key) ? { ...member, secret: true } : member;
}

/** Every text in a value, with the last key that leads to it. */
function leavesOf(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, Array.isArray(value) ? key : name));
}
