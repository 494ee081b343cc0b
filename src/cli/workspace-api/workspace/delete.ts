import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { requireConfirmation } from '../../process/question.ts';
import { WORKSPACE_ARGUMENT, workspaceOf } from '../workspace-requests.ts';

interface DeleteOptions extends OrganizationOptions {
  readonly force?: true;
  readonly yes?: true;
}

/** Command `lockkeeper workspace delete`. */
export function addWorkspaceDelete(workspace: Command): void {
  const command = workspace
    .command('delete')
    .description('Delete a workspace that manages no resources')
    .argument(...WORKSPACE_ARGUMENT)
    .option('--force', 'delete it although it manages resources, which stay where they are, without a state')
    .option('--yes', 'do not ask');
  withConnection(withOrganization(command)).action(remove);
}

async function remove(named: string, options: DeleteOptions): Promise<void> {
  const { id, attributes } = await workspaceOf(named, options);
  const resources = Number(attributes['resource-count'] ?? 0);
  const loss = options.force && resources > 0 ? ` Its ${resources} resources stay, and nothing manages them.` : '';
  await requireConfirmation(`Delete the workspace ${String(attributes.name)}?${loss}`, options.yes);
  const path = `/api/v2/workspaces/${id}`;
  if (options.force) await ask(options, 'workspaces', 'DELETE', path);
  else await ask(options, 'workspaces', 'POST', `${path}/actions/safe-delete`);
  process.stdout.write(`Deleted the workspace ${String(attributes.name)} (${id})\n`);
}
