import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, organizationOf, withOrganization } from '../../connection/organization.ts';
import { CommandError } from '../../errors/command-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { printable } from '../../output/printable.ts';
import { requireConfirmation } from '../../process/question.ts';
import { dataOf } from '../workspace-requests.ts';
import { type Member, memberIn, membershipsPath, membersOf } from './members.ts';
import { teamIdOf } from './team.ts';

type Options = OrganizationOptions & OutputOptions;

/** Command `lockkeeper user`: members of an organization. The operator's commands join the group. */
export function addUser(program: Command): void {
  const user = program.command('user').description('List, invite and remove members; on the server: manage users');
  withOutput(withConnection(withOrganization(user.command('list'))))
    .description('List the members of an organization, invited ones included')
    .action(list);
  withOutput(withConnection(withOrganization(user.command('invite').argument('<email>', 'email address'))))
    .description('Invite a person to an organization')
    .option('--team <names...>', 'teams of the new member')
    .action(invite);
  withConnection(withOrganization(user.command('remove').argument('<user>', 'username or email address')))
    .description('Remove a member, or an invitation, from an organization')
    .option('--yes', 'do not ask')
    .action(remove);
}

async function list(options: Options): Promise<void> {
  const members = await membersOf(options);
  await print({ whole: { data: members.map(({ resource }) => resource) }, brief: members.map(rowOf) }, options);
}

async function invite(email: string, options: Options & { readonly team?: readonly string[] }): Promise<void> {
  const ids = await Promise.all((options.team ?? []).map((name) => teamIdOf(name, options)));
  const relationships = { teams: { data: ids.map((id) => ({ type: 'teams', id })) } };
  const document = { data: { type: 'organization-memberships', attributes: { email }, relationships } };
  const body = await ask(options, 'workspaces', 'POST', membershipsPath(options), document).then(
    (answer) => answer.body,
    (error: unknown) => openInvitation(email, options, error),
  );
  const resource = dataOf(body);
  const link = await newLink(resource.id, options);
  await print({ whole: body, brief: { ...rowOf({ resource, username: '' }), link } }, options);
  if (link !== undefined) process.stderr.write(`Send the link to ${printable(email)}. It works once, for 7 days.\n`);
}

/** Returns the invitation of an address that is invited already. @throws the error if there is none */
async function openInvitation(email: string, options: Options, error: unknown): Promise<unknown> {
  if (!(error instanceof CommandError) || error.exitCode !== EXIT.conflict) throw error;
  const invited = (await membersOf(options)).find(
    ({ resource: { attributes } }) => attributes.email === email && attributes.status === 'invited',
  );
  if (invited === undefined) throw error;
  process.stderr.write(`${printable(email)} is invited already. The new link replaces the one before.\n`);
  return { data: invited.resource };
}

/** Returns the URL of a new link; undefined, after a warning, if the server gives none: the invitation is valid. */
async function newLink(id: string, options: Options): Promise<string | undefined> {
  const path = `/api/v2/organization-memberships/${id}/actions/create-link`;
  try {
    return String(dataOf((await ask(options, 'workspaces', 'POST', path)).body).attributes.url);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`warning: the invitation has no link: ${error.message}\n`);
    return undefined;
  }
}

async function remove(named: string, options: Options & { readonly yes?: true }): Promise<void> {
  const found = memberIn(await membersOf(options), named);
  await requireConfirmation(`Remove ${named} from the organization?`, options.yes);
  await ask(options, 'workspaces', 'DELETE', `/api/v2/organization-memberships/${found.resource.id}`);
  process.stdout.write(`Removed ${named} from the organization ${organizationOf(options)}\n`);
}

function rowOf({ resource: { id, attributes }, username }: Member): Record<string, unknown> {
  return { username, email: attributes.email, status: attributes.status, id };
}
