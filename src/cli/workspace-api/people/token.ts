import type { Command } from 'commander';
import { ask, withConnection } from '../../connection/connection.ts';
import { type OrganizationOptions, withOrganization } from '../../connection/organization.ts';
import { type OutputOptions, print, withOutput } from '../../output/output.ts';
import { allPages } from '../pages.ts';
import { timeAfter } from '../relative-time.ts';
import type { Resource } from '../resource.ts';
import { dataOf } from '../workspace-requests.ts';
import { teamIdOf } from './team.ts';

interface TokenOptions extends OrganizationOptions, OutputOptions {
  readonly team?: string;
}

interface CreateOptions extends TokenOptions {
  readonly description: string;
  readonly expires?: string;
}

/** Command `lockkeeper token`: tokens of the workspace API, your own or those of a team. */
export function addToken(program: Command): void {
  const token = program.command('token').description('List, create and revoke tokens of the workspace API');
  withOutput(withConnection(withOrganization(withTeam(token.command('list')))))
    .description('List your tokens, or those of a team')
    .action(list);
  withOutput(withConnection(withOrganization(withTeam(token.command('create')))))
    .description('Create a token, which is shown only once')
    .requiredOption('--description <text>', 'purpose of the token')
    .option('--expires <duration>', 'lifetime, such as 30d or 12h (default: no expiry, or as the organization allows)')
    .action(create);
  withConnection(token.command('revoke').argument('<token>', 'ID of the token, as `token list` shows it'))
    .description('Revoke a token')
    .action(revoke);
}

function withTeam(command: Command): Command {
  return command.option('--team <team>', 'a team, as NAME or ORGANIZATION/NAME, instead of yourself');
}

async function tokensPath(options: TokenOptions): Promise<string> {
  if (options.team !== undefined) return `/api/v2/teams/${await teamIdOf(options.team, options)}/authentication-tokens`;
  const { id } = dataOf((await ask(options, 'workspaces', 'GET', '/api/v2/account/details')).body);
  return `/api/v2/users/${id}/authentication-tokens`;
}

async function list(options: TokenOptions): Promise<void> {
  const found = await allPages(options, await tokensPath(options));
  await print({ whole: { data: found }, brief: found.map(rowOf) }, options);
}

async function create(options: CreateOptions): Promise<void> {
  const { description, expires } = options;
  const attributes = {
    description,
    ...(expires !== undefined && { 'expired-at': timeAfter(expires, `--expires ${expires}`) }),
  };
  const { body } = await ask(options, 'workspaces', 'POST', await tokensPath(options), {
    data: { type: 'authentication-tokens', attributes },
  });
  const created = dataOf(body);
  await print({ whole: body, brief: { ...rowOf(created), token: created.attributes.token } }, options);
  process.stderr.write('The token is shown only once. Store it safely.\n');
}

async function revoke(id: string, options: OrganizationOptions): Promise<void> {
  await ask(options, 'workspaces', 'DELETE', `/api/v2/authentication-tokens/${encodeURIComponent(id)}`);
  process.stdout.write(`Revoked the token ${id}\n`);
}

function rowOf({ id, attributes }: Resource): Record<string, unknown> {
  return {
    ...{ id, description: attributes.description, 'created-at': attributes['created-at'] },
    ...{ 'last-used-at': attributes['last-used-at'], 'expired-at': attributes['expired-at'] },
  };
}
