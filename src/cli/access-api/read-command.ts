import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { readFields } from '../connection/request-body.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { accessPath, shownEnvelope, showWarnings } from './access-path.ts';

/** Command `lockkeeper read`. */
export function addRead(program: Command): void {
  const command = program
    .command('read')
    .description('Read a path of the access API')
    .argument('<path>', 'below /v1: auth/cert/certs/web')
    .argument('[fields...]', 'query parameter: name=value');
  withOutput(withConnection(command)).action(read);
}

async function read(
  path: string,
  fields: readonly string[],
  options: ConnectionOptions & OutputOptions,
): Promise<void> {
  const query = readFields(fields) as Record<string, string>;
  const { body } = await ask(options, 'access', 'GET', accessPath(path, query));
  showWarnings(body);
  await print(shownEnvelope(body), options);
}
