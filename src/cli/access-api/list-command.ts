import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { accessPath, shownEnvelope } from './access-path.ts';

/** Command `lockkeeper list`. */
export function addList(program: Command): void {
  const command = program
    .command('list')
    .description('List the entries at a path of the access API')
    .argument('<path>', 'below /v1: auth/cert/certs');
  withOutput(withConnection(command)).action(list);
}

async function list(path: string, options: ConnectionOptions & OutputOptions): Promise<void> {
  // Sends GET with `list=true` instead of the method LIST, because every proxy accepts GET.
  const { body } = await ask(options, 'access', 'GET', accessPath(path, { list: 'true' }));
  await print(shownEnvelope(body), options);
}
