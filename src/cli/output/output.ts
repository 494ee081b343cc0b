import { type Command, Option } from 'commander';
import type { ScalarTag } from 'yaml';
import { ExactNumber, hasParts } from '../../lib/exact-json/exact-json.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { table } from './table.ts';

/** Of every command that shows what a server answered. */
export interface OutputOptions {
  readonly format: 'table' | 'json' | 'yaml';
  readonly field?: string;
}

/** An answer: all of it for programs, and what people look for. */
export interface Shown {
  readonly whole: unknown;
  /** An object or a list, as flat as it can be. */
  readonly brief: unknown;
}

export function withOutput(command: Command, initial: OutputOptions['format'] = 'table'): Command {
  return command
    .addOption(new Option('--format <format>', 'of the answer').choices(['table', 'json', 'yaml']).default(initial))
    .option('--field <name>', 'print this field alone, as it is; dots lead into it: tags.0.name');
}

/** Writes to standard output. @throws CommandError when there is no such field */
export async function print({ whole, brief }: Shown, { format, field }: OutputOptions): Promise<void> {
  const value = field === undefined ? whole : fieldIn(field, brief, whole);
  if (field !== undefined && !hasParts(value) && value !== null) process.stdout.write(`${String(value)}\n`);
  else if (format === 'json') process.stdout.write(`${JSON.stringify(value ?? null, null, 2)}\n`);
  else if (format === 'yaml') process.stdout.write(await yaml(value));
  else process.stdout.write(table(field === undefined ? brief : value));
}

/** Numbers are written as the server wrote them. */
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
  throw new CommandError(`the answer has no field ${name}; --format json shows all of it`, EXIT.notFound);
}

/** A name may have dots itself, so the whole of it is tried first. */
function lookUp(value: unknown, name: string): unknown {
  if (!hasParts(value)) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, name.slice(0, dot))) return undefined;
  return lookUp((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}
