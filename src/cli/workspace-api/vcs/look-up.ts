import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { WORKSPACE_ARGUMENT, workspaceIdOf } from '../workspace-requests.ts';
import type { VcsOptions } from './connection-requests.ts';

/** Command `lockkeeper vcs look-up`. */
export function addLookUp(vcs: Command): void {
  const command = vcs
    .command('look-up')
    .description('Make the server look for new commits in the repository of a workspace now')
    .argument(...WORKSPACE_ARGUMENT);
  withConnection(withOrganization(command)).action(async (named: string, options: VcsOptions) => {
    const id = await workspaceIdOf(named, options);
    await ask(options, 'workspaces', 'POST', `/api/v2/workspaces/${id}/actions/look-up`);
    process.stderr.write(`The server looks now. To see what it finds: lockkeeper vcs events ${named}\n`);
  });
}
