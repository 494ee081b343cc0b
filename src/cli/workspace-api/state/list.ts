import type { Command } from 'commander';
import { withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { WORKSPACE_ARGUMENT, workspaceOf } from '../workspace-requests.ts';
import { rowOf, versionsOf } from './versions.ts';

/** Command `lockkeeper state list`. */
export function addStateList(state: Command): void {
  const command = state
    .command('list')
    .description('List the states of a workspace, newest first')
    .argument(...WORKSPACE_ARGUMENT);
  withOutput(withConnection(withOrganization(command))).action(list);
}

async function list(named: string, options: OrganizationOptions & OutputOptions): Promise<void> {
  const found = await versionsOf(await workspaceOf(named, options), options);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}
