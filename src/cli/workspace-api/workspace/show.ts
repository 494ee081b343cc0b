import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import {
  dataOf,
  type OrganizationOptions,
  rowOf,
  WORKSPACE_ARGUMENT,
  withOrganization,
  workspacePath,
} from '../workspace-requests.ts';
import { holderOf } from './lock.ts';

/** Command `lockkeeper workspace show`. */
export function addWorkspaceShow(workspace: Command): void {
  const command = workspace
    .command('show')
    .description('Show a workspace, its lock and its automatic destroy run')
    .argument(...WORKSPACE_ARGUMENT);
  withOutput(withConnection(withOrganization(command))).action(show);
}

async function show(named: string, options: OrganizationOptions & OutputOptions): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'GET', workspacePath(named, options));
  const resource = dataOf(body);
  const { attributes } = resource;
  const brief = {
    ...rowOf(resource),
    ...(attributes.locked === true && { 'locked-by': holderOf(resource) }),
    'locked-reason': attributes['locked-reason'],
    'terraform-version': attributes['terraform-version'],
    'tag-names': attributes['tag-names'],
    'auto-destroy-status': attributes['auto-destroy-status'],
    'auto-destroy-at': attributes['auto-destroy-at'],
    'auto-destroy-explanation': attributes['auto-destroy-explanation'],
    description: attributes.description,
  };
  await print({ whole: body, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
}
