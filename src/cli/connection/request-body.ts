import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import { usageError } from '../errors/command-error.ts';
import { readSource } from './pem-source.ts';

/**
 * Fields from the command line: `name=text`, `name=@file`, `name=-` for standard input. A name that comes again makes a list.
 * A single `@file` or `-` is a whole body in JSON.
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

/** JSON as it stands, in `@file`, or on standard input for `-`. */
export function readJson(source: string): unknown {
  const text = source === '-' || source.startsWith('@') ? sourceText(source) : source;
  try {
    return parseExactJson(text);
  } catch {
    throw usageError('the body is no JSON');
  }
}

const sourceText = (source: string): string => readSource(source === '-' ? source : source.slice(1));
