import { type Command, Option } from 'commander';
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
  if (field !== undefined && typeof value !== 'object') process.stdout.write(`${String(value)}\n`);
  else if (format === 'json') process.stdout.write(`${JSON.stringify(value ?? null, null, 2)}\n`);
  else if (format === 'yaml') process.stdout.write((await import('yaml')).stringify(value ?? null));
  else process.stdout.write(table(field === undefined ? brief : value));
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
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as Record<string, unknown>)[name];
  const dot = name.indexOf('.');
  if (dot < 0 || !Object.hasOwn(value, name.slice(0, dot))) return undefined;
  return lookUp((value as Record<string, unknown>)[name.slice(0, dot)], name.slice(dot + 1));
}
