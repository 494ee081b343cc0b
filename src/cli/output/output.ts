import { type Command, Option } from 'commander';
import type { ScalarTag } from 'yaml';
import { ExactNumber, hasParts } from '../../lib/exact-json/exact-json.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { fieldNames, lookUp, selected } from './fields.ts';
import type { Shown } from './shown.ts';
import { table } from './table.ts';

export type { Shown } from './shown.ts';

/** Output options of commands that print a response. */
export interface OutputOptions {
  readonly format: 'table' | 'json' | 'yaml';
  readonly field?: string;
  /** Comma-separated fields. */
  readonly json?: string;
}

const inGroup = (option: Option): Option => option.helpGroup('Output:');

export function withOutput(command: Command, initial: OutputOptions['format'] = 'table'): Command {
  return command
    .addOption(
      inGroup(new Option('--format <format>', 'output format').choices(['table', 'json', 'yaml']).default(initial)),
    )
    .addOption(
      inGroup(
        new Option('--field <name>', 'print only this field, unformatted; dots select nested fields: tags.0.name'),
      ),
    )
    .addOption(
      inGroup(
        new Option('--json <fields>', 'print these comma-separated fields as JSON, for jq: name,locked').conflicts([
          'field',
          'format',
        ]),
      ),
    );
}

/** Writes to standard output. @throws CommandError for an unknown field */
export async function print(shown: Shown, { format, field, json }: OutputOptions): Promise<void> {
  const { whole, brief } = shown;
  if (json !== undefined) {
    process.stdout.write(`${JSON.stringify(selected(shown, fieldNames(json)), null, 2)}\n`);
    return;
  }
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
