import { type Command, Option } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { CONNECTION_ARGUMENT, connectionOf, tokenIdOf, type VcsOptions } from './connection-requests.ts';

/**
 * Maximum number of pages of repositories that a command reads from a provider, as many as the console does.
 * @limit repositories that `vcs repositories --available` lists, pages of the provider -> the command says that there are more
 */
const MOST_PAGES = 20;

interface RepositoriesOptions extends VcsOptions, OutputOptions {
  readonly available?: true;
  readonly search?: string;
  readonly owner?: string;
}

/** Command `lockkeeper vcs repositories`. */
export function addRepositories(vcs: Command): void {
  const command = vcs
    .command('repositories')
    .description('List the repositories that workspaces follow by a connection, with their health')
    .argument(...CONNECTION_ARGUMENT)
    .option('--available', 'list the repositories at the provider that workspaces can follow')
    .addOption(new Option('--search <text>', 'only names that contain this text').implies({ available: true }))
    .addOption(
      new Option('--owner <name>', 'only repositories of this owner, organization or project').implies({
        available: true,
      }),
    );
  withOutput(withConnection(withOrganization(command))).action(repositories);
}

async function repositories(named: string, options: RepositoriesOptions): Promise<void> {
  const connection = await connectionOf(named, options);
  if (options.available) return available(connection, options);
  const found = await allPages(options, `/api/v2/oauth-clients/${connection.id}/vcs-repositories`);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
  if (found.length === 0) {
    process.stderr.write(
      'No workspace follows a repository by this connection. --available lists those that it can read.\n',
    );
  }
}

interface AvailablePage {
  readonly data: readonly Resource[];
  readonly meta: { readonly 'next-page': number | null };
}

async function available(connection: Resource, options: RepositoriesOptions): Promise<void> {
  const { search, owner } = options;
  const path = `/api/v2/oauth-tokens/${tokenIdOf(connection)}/authorized-repos`;
  const filter = { ...(search !== undefined && { 'search[name]': search }), ...(owner && { organization: owner }) };
  const found: Resource[] = [];
  let next: number | null = 1;
  for (let read = 0; next !== null && read < MOST_PAGES; read++) {
    const query = new URLSearchParams({ ...filter, 'page[number]': String(next) });
    const { data, meta }: AvailablePage = (await ask(options, 'workspaces', 'GET', `${path}?${query}`))
      .body as AvailablePage;
    found.push(...data);
    next = meta['next-page'];
  }
  await print({ whole: { data: found }, brief: found.map(({ id }) => ({ repository: id })) }, options);
  if (next !== null) process.stderr.write('The provider has more repositories. Use --search or --owner.\n');
}

function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    repository: attributes['display-identifier'],
    id,
    health: attributes.health,
    'looked-up-at': attributes['looked-up-at'],
    webhook: attributes['webhook-state'],
    reason: attributes['health-reason'] ?? attributes['webhook-problem'],
  };
}
