import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import { usageError } from '../errors/command-error.ts';
import { readSource } from './pem-source.ts';

/**
 * Builds a body from fields: `name=text`, `name=@file`, `name=-` for standard input. A repeated name makes a list. A
 * single `@file` or `-` is a whole JSON body.
 */
export function readFields(args: readonly string[]): unknown {
  const [first] = args;
  if (args.length === 1 && first !== undefined && (first === '-' || first.startsWith('@'))) return readJson(first);
  const fields = new Map<string, string | string[]>();
  for (const arg of args) {
    const [, name, given = ''] = /^([^=]+)=([\s\S]*)$/.exec(arg) ?? [];
    if (name === undefined) throw usageError(`${arg}: expected NAME=VALUE, NAME=@FILE or NAME=-`);
    const value = given === '-' || given.startsWith('@') ? sourceText(given) : given;
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Reads JSON from the argument, from `@file`, or from standard input for `-`. */
export function readJson(source: string): unknown {
  const text = source === '-' || source.startsWith('@') ? sourceText(source) : source;
  try {
    return parseExactJson(text);
  } catch {
    throw usageError('the body is not JSON');
  }
}

const sourceText = (source: string): string => readSource(source === '-' ? source : source.slice(1));
