import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { usageError } from '../../errors/command-error.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { connectionOf, tokenIdOf } from '../vcs/connection-requests.ts';
import { dataOf, organizationPath, qualifiedName, rowOf } from '../workspace-requests.ts';
import { settingsOf } from './settings.ts';

interface CreateOptions extends OrganizationOptions, OutputOptions {
  readonly repository?: string;
  readonly connection?: string;
  readonly branch?: string;
  readonly workingDirectory?: string;
  readonly executionMode?: string;
  readonly queueAllRuns?: true;
}

/** Command `lockkeeper workspace create`. */
export function addWorkspaceCreate(workspace: Command): void {
  const command = workspace
    .command('create')
    .description('Create a workspace, which can follow a repository')
    .argument('<workspace>', 'name, or ORGANIZATION/NAME')
    .argument('[settings...]', 'NAME=VALUE, as for `workspace set`')
    .option('--repository <identifier>', 'repository to follow, such as acme/infra')
    .option(
      '--connection <connection>',
      'connection to its provider: ID or name, or the ID of a GitHub App installation',
    )
    .option('--branch <name>', 'branch to follow (default: the default branch of the repository)')
    .option('--working-directory <path>', 'folder of the configuration in the repository')
    .option('--execution-mode <mode>', 'remote, agent or local (default: that of the project)')
    .option('--queue-all-runs', 'run the newest commit now, and each push after it');
  withOutput(withConnection(withOrganization(command))).action(create);
}

async function create(named: string, settings: readonly string[], options: CreateOptions): Promise<void> {
  const { organization, name } = qualifiedName(named, options);
  const more = await settingsOf(settings, organization, options);
  const { workingDirectory: directory, executionMode: mode } = options;
  const repo = await repositoryOf({ ...options, organization });
  const attributes = {
    name,
    ...(directory !== undefined && { 'working-directory': directory }),
    ...(mode !== undefined && { 'execution-mode': mode }),
    ...(options.queueAllRuns && { 'queue-all-runs': true }),
    ...(repo && { 'vcs-repo': repo }),
    ...more.attributes,
  };
  const { body } = await ask(options, 'workspaces', 'POST', `${organizationPath(organization)}/workspaces`, {
    data: { type: 'workspaces', attributes, relationships: more.relationships },
  });
  const { attributes: made } = dataOf(body);
  const followed = (made['vcs-repo'] as { readonly identifier?: unknown } | null)?.identifier;
  await print({ whole: body, brief: { ...rowOf(dataOf(body)), repository: followed } }, options);
}

/** Returns `vcs-repo` of the new workspace; undefined if it follows no repository. */
async function repositoryOf(options: CreateOptions): Promise<object | undefined> {
  const { repository: identifier, connection, branch } = options;
  if (identifier === undefined && connection === undefined && branch === undefined) return undefined;
  if (identifier === undefined || connection === undefined) {
    throw usageError(
      'A repository needs --repository and --connection; `lockkeeper vcs connections` lists connections',
    );
  }
  return { identifier, ...(await credentialOf(connection, options)), ...(branch !== undefined && { branch }) };
}

/** Names the token of a connection, or an installation of a GitHub App. */
async function credentialOf(connection: string, options: CreateOptions): Promise<object> {
  if (connection.startsWith('ghain-')) return { 'github-app-installation-id': connection };
  return { 'oauth-token-id': tokenIdOf(await connectionOf(connection, options)) };
}
