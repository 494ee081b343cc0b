import type { Command } from 'commander';
import { type ApiName, ask, type ConnectionOptions, targetOf, withConnection } from '../connection/connection.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { type OutputOptions, print, withOutput } from '../output/output.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Command `lockkeeper whoami`: shows for both APIs who the token stands for. */
export function addWhoami(program: Command): void {
  withOutput(withConnection(program.command('whoami')))
    .description('Show who your token stands for, in both APIs')
    .action(whoami);
}

async function whoami(options: ConnectionOptions & OutputOptions): Promise<void> {
  const [access, account] = await Promise.all([
    attempt(options, 'access', '/v1/auth/token/lookup-self'),
    attempt(options, 'workspaces', '/api/v2/account/details'),
  ]);
  if (access instanceof CommandError && account instanceof CommandError) throw account;
  const whole = { server: targetOf(options).address, access: dataIn(access), workspaces: dataIn(account) };
  await print({ whole, brief: { server: whole.server, ...accessRows(access), ...accountRows(account) } }, options);
}

/** A token of one API is unknown to the other one, which is no error of this command. */
async function attempt(options: ConnectionOptions, api: ApiName, path: string): Promise<Fields | CommandError> {
  try {
    return ((await ask(options, api, 'GET', path)).body as { readonly data: Fields }).data;
  } catch (error) {
    if (error instanceof CommandError && (error.exitCode === EXIT.refused || error.exitCode === EXIT.notFound)) {
      return error;
    }
    throw error;
  }
}

const dataIn = (found: Fields | CommandError): Fields | null => (found instanceof CommandError ? null : found);

function accessRows(found: Fields | CommandError): Fields {
  if (found instanceof CommandError) return { 'access-api': 'no: this token is not one of the access API' };
  const policies = [...((found.policies as readonly string[] | null) ?? [])];
  return {
    'access-api': found.display_name,
    policies: policies.join(', '),
    'expires-at': found.expire_time ?? 'never',
  };
}

function accountRows(found: Fields | CommandError): Fields {
  if (found instanceof CommandError) return { 'workspace-api': 'no: this token is not one of the workspace API' };
  const { username, email, 'is-site-admin': isAdmin } = (found.attributes ?? {}) as Fields;
  return {
    'workspace-api': username,
    ...(email !== undefined && { email }),
    ...(isAdmin === true && { role: 'site administrator' }),
  };
}
