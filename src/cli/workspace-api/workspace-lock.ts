import type { Command } from 'commander';
import { withConnection } from '../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { act, type OrganizationOptions, WORKSPACE_ARGUMENT, withOrganization } from './workspace-requests.ts';

interface LockOptions extends OrganizationOptions, OutputOptions {
  readonly reason?: string;
}

/** Command `lockkeeper workspace lock`. */
export function addWorkspaceLock(workspace: Command): void {
  const command = workspace
    .command('lock')
    .description('Lock a workspace; exit code 5 if it is already locked')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--reason <text>', 'reason of the lock');
  withOutput(withConnection(withOrganization(command))).action(lock);
}

async function lock(named: string, options: LockOptions): Promise<void> {
  const { reason } = options;
  await print(await act(named, 'lock', reason === undefined ? {} : { reason }, options), options);
}
