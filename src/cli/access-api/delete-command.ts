import type { Command } from 'commander';
import { ask, type ConnectionOptions, withConnection } from '../connection/connection.ts';
import { printable } from '../output/printable.ts';
import { accessPath } from './access-path.ts';

/** Command `lockkeeper delete`. */
export function addDelete(program: Command): void {
  const command = program
    .command('delete')
    .description('Delete a path of the access API')
    .argument('<path>', 'below /v1: auth/cert/certs/web');
  withConnection(command).action(remove);
}

async function remove(path: string, options: ConnectionOptions): Promise<void> {
  await ask(options, 'access', 'DELETE', accessPath(path));
  process.stdout.write(`Deleted ${printable(path)}\n`);
}
