import type { Command } from 'commander';
import { AppError } from '../../lib/errors.ts';
import type { Workspaces } from '../../workspaces/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { groupIn } from '../process/command-groups.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDomains } from '../process/without-server.ts';

interface UserOptions extends ConfigOptions {
  readonly username: string;
  readonly email: string;
  readonly siteAdmin?: boolean;
}

/** Commands of `lockkeeper user` for the operator. They open the databases, and the server may be running. */
export function addOperatorUsers(program: Command): void {
  const user = groupIn(program, 'user');
  withOptions(user.command('create'))
    .option('--site-admin', 'make the user a site administrator, who can manage users over the API')
    .description('On the server: create a user and a token; accepts invitations of the email address')
    .action((options: UserOptions) => withWorkspaces(options, (workspaces) => create(workspaces, options)));
  withOptions(user.command('confirm-email'))
    .description('On the server: set the email address of a user; accepts invitations of that address')
    .action((options: UserOptions) => withWorkspaces(options, (workspaces) => confirmEmail(workspaces, options)));
  withConfig(user.command('site-admin'))
    .requiredOption('--username <name>', 'name of the user')
    .option('--revoke', 'remove the role instead')
    .description('On the server: make a user a site administrator, who can manage users over the API')
    .action((options: SiteAdminOptions) => withWorkspaces(options, (workspaces) => siteAdmin(workspaces, options)));
  withConfig(user.command('end-sessions'))
    .requiredOption('--username <name>', 'name of the user')
    .description('On the server: end all browser sessions of a user; tokens and passkeys stay valid')
    .action((options: SessionOptions) => withWorkspaces(options, (workspaces) => endSessions(workspaces, options)));
}

interface SessionOptions extends ConfigOptions {
  readonly username: string;
}

async function endSessions({ tenancy }: Workspaces, { username }: SessionOptions): Promise<string> {
  const user = await tenancy.users.personNamed(username);
  const ended = await tenancy.sessions.endAllOf(user.id);
  return `user ${username}: ${ended} ${ended === 1 ? 'session' : 'sessions'} ended\n`;
}

interface SiteAdminOptions extends ConfigOptions {
  readonly username: string;
  readonly revoke?: boolean;
}

async function siteAdmin({ tenancy }: Workspaces, { username, revoke = false }: SiteAdminOptions): Promise<string> {
  await tenancy.users.setSiteAdmin(username, !revoke);
  return `user ${username} is ${revoke ? 'no' : 'a'} site administrator\n`;
}

function withOptions(command: Command): Command {
  return withConfig(command)
    .requiredOption('--username <name>', 'name of the user')
    .requiredOption('--email <address>', 'email address of the user');
}

async function create(
  { tenancy: { users, tokens } }: Workspaces,
  { username, email, siteAdmin = false }: UserOptions,
): Promise<string> {
  const user = await users.create({ username, email, siteAdmin });
  const { text } = await tokens.issue(user.id, { description: 'lockkeeper user create', expiresAt: null });
  return `user token   ${text}   (workspace API: user ${username})\nThe token is shown only once. Store it safely.\n`;
}

async function confirmEmail({ tenancy: { users } }: Workspaces, { username, email }: UserOptions): Promise<string> {
  await users.confirmEmail(username, email);
  return `user ${username} has the email address ${email}\n`;
}

/** Opens the databases; the server may be running. */
async function withWorkspaces(
  options: ConfigOptions,
  work: (workspaces: Workspaces) => Promise<string>,
): Promise<void> {
  const config = readConfigFile(options);
  const keyring = await openKeyringOf(config);
  await withDomains({ config, keyring }, async ({ workspaces }) => {
    process.stdout.write(await work(workspaces).catch(noUser));
  });
}

function noUser(error: unknown): never {
  if (error instanceof AppError && error.kind === 'not-found') throw new CommandError('no such user', EXIT.notFound);
  throw error;
}
