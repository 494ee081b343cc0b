import type { Command } from 'commander';
import { withConnection } from '../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';
import { act, type OrganizationOptions, WORKSPACE_ARGUMENT, withOrganization } from './workspace-requests.ts';

interface UnlockOptions extends OrganizationOptions, OutputOptions {
  readonly force?: true;
}

/** Command `lockkeeper workspace unlock`. */
export function addWorkspaceUnlock(workspace: Command): void {
  const command = workspace
    .command('unlock')
    .description('Unlock a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--force', 'unlock even if another user holds the lock');
  withOutput(withConnection(withOrganization(command))).action(unlock);
}

async function unlock(named: string, options: UnlockOptions): Promise<void> {
  await print(await act(named, options.force ? 'force-unlock' : 'unlock', undefined, options), options);
}
