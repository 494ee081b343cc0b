import { resolve } from 'node:path';
import { bareAddress, TAKEN_OUT } from '../lib/address/bare-address.ts';
import { ConfigError } from './config-error.ts';
import { configSchema } from './config-schema.ts';
import { readConfig, type Sources } from './config-sources.ts';
import type { SchemaNode } from './config-validation.ts';

/** Settings whose value identifies the server to a cloud. */
const NAMES_SOMEBODY = new Set(['access_key_id']);
const SECRET_FILE = /^(keyring|private_key|key|token|pin|password|.*secret.*)_file$/;
/** Minimum length of an unknown text that is masked. Shorter ones may be ordinary words. */
const SHORTEST_UNKNOWN = 8;
/** Minimum length of a part of a URL that is masked everywhere, also outside of its URL. */
const TOKEN = /^(?=.*\d).{8,}$|^.{16,}$/;
/** Minimum length of a path that is masked everywhere. Shorter paths are prefixes of many others. */
const LONG_END = 16;

/**
 * Returns the settings as given, for diagnosis. Masks secrets and unknown settings, which may be secrets.
 * @throws ConfigError if the text is not a YAML mapping
 */
export function shownSettings(sources: Sources): unknown {
  return shownValue(readConfig(sources).tree, ROOT, () => {});
}

/** Texts that must not be shown, and files that hold such texts (absolute paths). */
export interface Sensitive {
  readonly texts: readonly string[];
  readonly files: readonly string[];
}

/** Returns the secrets in settings, also in invalid ones. @param directory folder of the file */
export function sensitiveSettings(sources: Sources, directory: string): Sensitive {
  const [texts, files]: [string[], string[]] = [[], []];
  shownValue(treeOf(sources), ROOT, (text, isSetting) => {
    if (isSetting || text.length >= SHORTEST_UNKNOWN) texts.push(text);
  });
  for (const [key, text] of leavesOf(treeOf(sources))) if (SECRET_FILE.test(key)) files.push(resolve(directory, text));
  return { texts, files };
}

const ROOT = configSchema as SchemaNode;

/** Returns the lines of a text that is not valid YAML. */
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

/** @param takenOut called with each masked text, and whether it is a known setting */
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

/** Returns a URL up to its host. The path may identify the server to the URL's owner. */
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

/** Yields every text in a value, with the last key on its path. */
function leavesOf(value: unknown, key = ''): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, Array.isArray(value) ? key : name));
}
