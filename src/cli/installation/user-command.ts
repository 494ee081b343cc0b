import type { Command } from 'commander';
import { AppError } from '../../lib/errors.ts';
import type { Workspaces } from '../../workspaces/index.ts';
import { CommandError } from '../errors/command-error.ts';
import { type ConfigOptions, readConfigFile, withConfig } from '../process/config-file.ts';
import { openKeyringOf } from '../process/keyring.ts';
import { withDomains } from '../process/without-server.ts';

interface UserOptions extends ConfigOptions {
  readonly username: string;
  readonly email: string;
  readonly siteAdmin?: boolean;
}

/** `lockkeeper user`: the people of the workspace API, whom the operator vouches for. */
export function addUser(program: Command): void {
  const user = program.command('user').description('users of the workspace API');
  withOptions(user.command('create'))
    .option('--site-admin', 'they set the installation up: users of it over the API')
    .description('make a user and a token, which is shown once; invitations of the address are accepted')
    .action((options: UserOptions) => withWorkspaces(options, (workspaces) => create(workspaces, options)));
  withOptions(user.command('confirm-email'))
    .description('give a user an address: whoever has it is let in where it is invited')
    .action((options: UserOptions) => withWorkspaces(options, (workspaces) => confirmEmail(workspaces, options)));
  withConfig(user.command('site-admin'))
    .requiredOption('--username <name>', 'of the user')
    .option('--revoke', 'they are none from now on')
    .description('let a user set the installation up: users of it over the API')
    .action((options: SiteAdminOptions) => withWorkspaces(options, (workspaces) => siteAdmin(workspaces, options)));
  withConfig(user.command('end-sessions'))
    .requiredOption('--username <name>', 'of the user')
    .description('sign a user out of every browser; their tokens stay')
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
    .requiredOption('--username <name>', 'of the user')
    .requiredOption('--email <address>', 'of the user');
}

async function create(
  { tenancy: { users, tokens } }: Workspaces,
  { username, email, siteAdmin = false }: UserOptions,
): Promise<string> {
  const user = await users.create({ username, email, siteAdmin });
  const { text } = await tokens.issue(user.id, { description: 'lockkeeper user create', expiresAt: null });
  return `user token   ${text}   (workspace API: user ${username})\nIt is shown once. Keep it safe.\n`;
}

async function confirmEmail({ tenancy: { users } }: Workspaces, { username, email }: UserOptions): Promise<string> {
  await users.confirmEmail(username, email);
  return `user ${username} has the address ${email}\n`;
}

/** Beside a server that runs, or without one. */
async function withWorkspaces(
  options: ConfigOptions,
  work: (workspaces: Workspaces) => Promise<string>,
): Promise<void> {
  const config = readConfigFile(options);
  const keyring = await openKeyringOf(config);
  await withDomains({ config, keyring }, async ({ workspaces }) => {
    process.stdout.write(await work(workspaces).catch(explain));
  });
}

/** What is wrong, not only that something is. */
function explain(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new CommandError(error.issues.map(({ detail }) => detail).join('; ') || 'there is no such user');
}
