import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { linkedId } from '../resource.ts';
import { dataOf, qualifiedName, rowOf, WORKSPACE_ARGUMENT, workspaceOf } from '../workspace-requests.ts';
import { SETTINGS_ARGUMENT, settingsOf } from './settings.ts';

/** Command `lockkeeper workspace set`. */
export function addWorkspaceSet(workspace: Command): void {
  const command = workspace
    .command('set')
    .description('Change settings of a workspace')
    .argument(...WORKSPACE_ARGUMENT)
    .argument(...SETTINGS_ARGUMENT);
  withOutput(withConnection(withOrganization(command))).action(set);
}

async function set(
  named: string,
  settings: readonly string[],
  options: OrganizationOptions & OutputOptions,
): Promise<void> {
  const { id, relationships } = await workspaceOf(named, options);
  const organization = linkedId(relationships?.organization) ?? qualifiedName(named, options).organization;
  const changed = await settingsOf(settings, organization, options);
  const { body } = await ask(options, 'workspaces', 'PATCH', `/api/v2/workspaces/${id}`, {
    data: { type: 'workspaces', ...changed },
  });
  const { attributes } = dataOf(body);
  const set = Object.fromEntries(Object.keys(changed.attributes).map((name) => [name, attributes[name]]));
  await print({ whole: body, brief: { ...rowOf(dataOf(body)), ...set } }, options);
}
