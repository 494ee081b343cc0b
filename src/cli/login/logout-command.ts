import type { Command } from 'commander';
import { createClient } from '../client/client.ts';
import { type ConnectionOptions, targetOf, withConnection } from '../connection/connection.ts';
import { forgetSession, storedSession } from '../credentials/stored-session.ts';

/** Command `lockkeeper logout`: revokes and forgets the token of `login --store`. */
export function addLogout(program: Command): void {
  withConnection(program.command('logout')).description('Revoke and forget the stored token').action(logout);
}

async function logout(options: ConnectionOptions): Promise<void> {
  const target = targetOf(options);
  const token = storedSession(target.address);
  forgetSession(target.address);
  // An expired token is refused. In both cases it is invalid afterwards.
  if (token !== undefined) await createClient({ ...target, token })('POST', '/v1/auth/token/revoke-self');
}
