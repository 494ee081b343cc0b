import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { requireConfirmation } from '../../process/question.ts';
import { allPages } from '../pages.ts';
import type { Resource } from '../resource.ts';
import { dataOf, idByName, organizationPath, qualifiedName } from '../workspace-requests.ts';

const TEAM_ARGUMENT = ['<team>', 'name, or ORGANIZATION/NAME'] as const;

type Options = OrganizationOptions & OutputOptions;

/** Command `lockkeeper team`: teams of an organization and their members. */
export function addTeam(program: Command): void {
  const team = program.command('team').description('List, create and delete teams, and change their members');
  withOutput(withConnection(withOrganization(team.command('list'))))
    .description('List the teams of an organization')
    .action(list);
  withOutput(withConnection(withOrganization(team.command('show').argument(...TEAM_ARGUMENT))))
    .description('Show a team, its members and what it may do in the organization')
    .action(show);
  withOutput(withConnection(withOrganization(team.command('create').argument(...TEAM_ARGUMENT))))
    .description('Create a team')
    .action(create);
  withConnection(withOrganization(team.command('delete').argument(...TEAM_ARGUMENT)))
    .description('Delete a team, its tokens and its access')
    .option('--yes', 'do not ask')
    .action(remove);
  for (const [action, method, description] of [
    ['add', 'POST', 'Add users to a team'],
    ['remove', 'DELETE', 'Remove users from a team'],
  ] as const) {
    withConnection(withOrganization(team.command(action).argument(...TEAM_ARGUMENT)))
      .argument('<users...>', 'usernames')
      .description(description)
      .action((named: string, users: readonly string[], options: Options) => change(method, named, users, options));
  }
}

const pathOf = async (named: string, options: OrganizationOptions): Promise<string> =>
  `/api/v2/teams/${await teamIdOf(named, options)}`;

/** Returns the ID of a team. @throws CommandError if there is none that the token can see */
export async function teamIdOf(named: string, options: OrganizationOptions): Promise<string> {
  return /^team-\w{16}$/.test(named) ? named : idByName('teams', qualifiedName(named, options), options);
}

async function list(options: Options): Promise<void> {
  const found = await allPages(options, `${organizationPath(organizationOf(options))}/teams`);
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}

async function show(named: string, options: Options): Promise<void> {
  const { body } = await ask(options, 'workspaces', 'GET', `${await pathOf(named, options)}?include=users`);
  const team = dataOf(body);
  const { included = [] } = body as { readonly included?: readonly Resource[] };
  const members = included.filter(({ type }) => type === 'users').map(({ attributes }) => attributes.username);
  const access = (team.attributes['organization-access'] ?? {}) as Readonly<Record<string, unknown>>;
  const may = Object.keys(access).filter((name) => access[name] === true);
  await print({ whole: body, brief: { ...rowOf(team), members, 'organization-access': may } }, options);
}

async function create(named: string, options: Options): Promise<void> {
  const { organization, name } = qualifiedName(named, options);
  const { body } = await ask(options, 'workspaces', 'POST', `${organizationPath(organization)}/teams`, {
    data: { type: 'teams', attributes: { name } },
  });
  await print({ whole: body, brief: rowOf(dataOf(body)) }, options);
}

async function remove(named: string, options: Options & { readonly yes?: true }): Promise<void> {
  const path = await pathOf(named, options);
  await requireConfirmation(`Delete the team ${named}, with its tokens and its access?`, options.yes);
  await ask(options, 'workspaces', 'DELETE', path);
  process.stdout.write(`Deleted the team ${named}\n`);
}

async function change(method: string, named: string, users: readonly string[], options: Options): Promise<void> {
  const path = `${await pathOf(named, options)}/relationships/users`;
  await ask(options, 'workspaces', method, path, { data: users.map((id) => ({ type: 'users', id })) });
  const [word, place] = method === 'POST' ? ['Added', 'to'] : ['Removed', 'from'];
  process.stdout.write(`${word} ${users.join(', ')} ${place} the team ${named}\n`);
}

function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return { name: attributes.name, id, members: attributes['users-count'], visibility: attributes.visibility };
}
