import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { readFields } from '../connection/request-body.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { printable } from '../output/printable.ts';
import { accessPath, shownEnvelope, showWarnings } from './access-path.ts';

/** Command `lockkeeper write`. */
export function addWrite(program: Command): void {
  const command = program
    .command('write')
    .description('Write to a path of the access API')
    .argument('<path>', 'below /v1: auth/cert/certs/web')
    .argument(
      '[fields...]',
      'name=value, name=@file, or name=- for standard input; or a single @file or - with a JSON object',
    );
  withOutput(withConnection(command)).action(write);
}

async function write(
  path: string,
  fields: readonly string[],
  options: ConnectionOptions & OutputOptions,
): Promise<void> {
  const { body } = await ask(options, 'access', 'POST', accessPath(path), readFields(fields));
  showWarnings(body);
  const shown = shownEnvelope(body);
  // A response without content would leave the user without a word.
  if (shown.brief === undefined && options.format === 'table') process.stdout.write(`Wrote ${printable(path)}\n`);
  else await print(shown, options);
}
