import type { Command } from 'commander';
import { createClient } from '../client/client.ts';
import { type ConnectionOptions, targetOf, withConnection } from '../connection/connection.ts';
import { forgetSession, storedSession } from '../credentials/stored-session.ts';

/** `lockkeeper logout`: the counterpart of `login --store`. */
export function addLogout(program: Command): void {
  withConnection(program.command('logout'))
    .description('revoke the token that `login` keeps, and forget it')
    .action(logout);
}

async function logout(options: ConnectionOptions): Promise<void> {
  const target = targetOf(options);
  const token = storedSession(target.address);
  forgetSession(target.address);
  // One that has ended meanwhile is refused; either way it is good for nothing any more.
  if (token !== undefined) await createClient({ ...target, token })('POST', '/v1/auth/token/revoke-self');
}
