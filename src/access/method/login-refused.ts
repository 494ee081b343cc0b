import { AppError } from '../../lib/errors.ts';
import type { Verdict } from './verdict.ts';

/**
 * Thrown when a role accepts a login but no token can be issued. The verdict is for the log and `login/explain`, the
 * message for the client.
 */
export class LoginRefused extends AppError {
  readonly verdict: Verdict;

  constructor(message: string, verdict: Omit<Verdict, 'outcome'>) {
    super('bad-request', message);
    this.verdict = { ...verdict, outcome: 'refused' };
  }
}

/** Runs one step of issuing a token. A refusal becomes a `LoginRefused` with the same message. */
export async function refusing<T>(check: string, expected: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'bad-request') throw error;
    throw new LoginRefused(error.message, { check, expected, actual: error.message });
  }
}

/** Advice for logins that a role accepts but that get no token. */
export const REFUSAL_HINTS: Readonly<Record<string, string>> = {
  role: 'List the roles of the mount, and use one of them in the login.',
  entity: 'Enable the entity again: write disabled=false to identity/entity/id/<id>.',
  alias: 'Use another alias name: change alias_source of a cert mount, or user_claim of a JWT role.',
  token_num_uses:
    'Set token_num_uses of the role to 0, or use service tokens: the uses of batch tokens cannot be counted.',
  token_strictly_bind_ip:
    'Turn token_strictly_bind_ip off, or log in through a connection with a known client address.',
  token: 'Shorten the metadata, policies or names of the role and the login.',
};
