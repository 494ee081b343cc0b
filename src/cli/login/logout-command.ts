import type { Command } from 'commander';
import { createClient } from '../client/client.ts';
import { type ConnectionOptions, type Target, targetOf, withConnection } from '../connection/connection.ts';
import { forgetSession, storedSession } from '../credentials/stored-session.ts';

/** Token of a user: its second part is its public ID, without the prefix `at-`. */
const USER_TOKEN = /^lku\.(\w+)\./;

/** Command `lockkeeper logout`: revokes and forgets the token of `login`. */
export function addLogout(program: Command): void {
  withConnection(program.command('logout')).description('Revoke and forget the stored token').action(logout);
}

async function logout(options: ConnectionOptions): Promise<void> {
  const target = targetOf(options);
  const token = storedSession(target.address);
  forgetSession(target.address);
  if (token !== undefined) await revoke(target, token);
}

/** An expired token is refused. In both cases it is invalid afterwards. */
async function revoke(target: Target, token: string): Promise<void> {
  const client = createClient({ ...target, token });
  const id = USER_TOKEN.exec(token)?.[1];
  if (id === undefined) await client('POST', '/v1/auth/token/revoke-self');
  else await client('DELETE', `/api/v2/authentication-tokens/at-${id}`);
}
