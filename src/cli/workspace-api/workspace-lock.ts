import type { Command } from 'commander';
import { withConnection } from '../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { act, type OrganizationOptions, WORKSPACE_ARGUMENT, withOrganization } from './workspace-requests.ts';

interface LockOptions extends OrganizationOptions, OutputOptions {
  readonly reason?: string;
}

/** `lockkeeper workspace lock` */
export function addWorkspaceLock(workspace: Command): void {
  const command = workspace
    .command('lock')
    .description('lock a workspace; 5 when somebody holds it')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--reason <text>', 'why, for others to read');
  withOutput(withConnection(withOrganization(command))).action(lock);
}

async function lock(named: string, options: LockOptions): Promise<void> {
  const { reason } = options;
  await print(await act(named, 'lock', reason === undefined ? {} : { reason }, options), options);
}
