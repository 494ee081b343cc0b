import { readFileSync } from 'node:fs';
import { parseExactJson } from '../../lib/exact-json/exact-json.ts';
import { usageError } from '../errors/command-error.ts';

const STDIN = 0;

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
    const value = given === '-' || given.startsWith('@') ? readSource(given) : given;
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(fields);
}

/** JSON as it stands, in `@file`, or on standard input for `-`. */
export function readJson(source: string): unknown {
  const text = source === '-' || source.startsWith('@') ? readSource(source) : source;
  try {
    return parseExactJson(text);
  } catch {
    throw usageError('the body is no JSON');
  }
}

function readSource(source: string): string {
  try {
    return readFileSync(source === '-' ? STDIN : source.slice(1), 'utf8');
  } catch (error) {
    throw usageError(`cannot read ${source === '-' ? 'standard input' : source.slice(1)}: ${(error as Error).message}`);
  }
}
