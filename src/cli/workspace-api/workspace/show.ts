import type { Command } from 'commander';
import { engineWords } from '../../../lib/engines/engine-words.ts';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { linkedId, type Resource } from '../resource.ts';
import { dataOf, organizationPath, rowOf, WORKSPACE_ARGUMENT, workspacePath } from '../workspace-requests.ts';
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
    engine: await engineOf(resource, options),
    'tag-names': attributes['tag-names'],
    'auto-destroy-status': attributes['auto-destroy-status'],
    'auto-destroy-at': attributes['auto-destroy-at'],
    'auto-destroy-explanation': attributes['auto-destroy-explanation'],
    description: attributes.description,
  };
  await print({ whole: body, brief: options.field === undefined ? brief : { ...attributes, ...brief } }, options);
}

/** Returns the engine and the version that a run would use. */
async function engineOf({ attributes, relationships }: Resource, options: OrganizationOptions): Promise<string> {
  const engine = attributes.engine as string | null;
  const organization = linkedId(relationships?.organization) ?? '';
  const inherited = engine === null ? await defaultEngineOf(organization, options) : undefined;
  return engineWords(engine, inherited, String(attributes['engine-version']));
}

async function defaultEngineOf(organization: string, options: OrganizationOptions): Promise<string | undefined> {
  const { body } = await ask(options, 'workspaces', 'GET', organizationPath(organization));
  return dataOf(body).attributes['default-engine'] as string | undefined;
}
