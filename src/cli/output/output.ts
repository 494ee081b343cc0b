import { type Command, Option } from 'commander';
import type { ScalarTag } from 'yaml';
import { ExactNumber, hasParts } from '../../lib/exact-json/exact-json.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { table } from './table.ts';

/** Output options of commands that print a response. */
export interface OutputOptions {
  readonly format: 'table' | 'json' | 'yaml';
  readonly field?: string;
}

/** A response: complete for programs, and a summary for people. */
export interface Shown {
  readonly whole: unknown;
  /** Object or list for the table. */
  readonly brief: unknown;
}

export function withOutput(command: Command, initial: OutputOptions['format'] = 'table'): Command {
  return command
    .addOption(new Option('--format <format>', 'output format').choices(['table', 'json', 'yaml']).default(initial))
    .option('--field <name>', 'print only this field, unformatted; dots select nested fields: tags.0.name');
}

/** Writes to standard output. @throws CommandError for an unknown field */
export async function print({ whole, brief }: Shown, { format, field }: OutputOptions): Promise<void> {
  const value = field === undefined ? whole : fieldIn(field, brief, whole);
  if (field !== undefined && !hasParts(value) && value !== null) process.stdout.write(`${String(value)}\n`);
  else if (format === 'json') process.stdout.write(`${JSON.stringify(value ?? null, null, 2)}\n`);
  else if (format === 'yaml') process.stdout.write(await yaml(value));
  else process.stdout.write(table(field === undefined ? brief : value));
}

/** Numbers keep the server's spelling. */
async function yaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  const asWritten: ScalarTag = {
    ...{ tag: 'tag:yaml.org,2002:float', default: true },
    identify: (one) => one instanceof ExactNumber,
    stringify: ({ value: one }) => String(one),
    resolve: (text) => new ExactNumber(text),
  };
  return stringify(value ?? null, { customTags: (tags) => [asWritten, ...tags] });
}

function fieldIn(name: string, ...values: readonly unknown[]): unknown {
  for (const value of values) {
    const found = lookUp(value, name);
    if (found !== undefined) return found;
  }
  throw new CommandError(`the response has no field ${name}; --format json shows all fields`, EXIT.notFound);
}

/** Names may contain dots, so the whole name is tried first. */
function lookUp(value: unknown, name: string): unknown {
  if (!hasParts(value)) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, name.slice(0, dot))) return undefined;
  return lookUp((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}
