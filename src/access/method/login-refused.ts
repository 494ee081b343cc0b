import { AppError } from '../../lib/errors.ts';
import type { Verdict } from './verdict.ts';

/** A login that a role admits and that gets no token: why, for the log and for `login/explain`, beside the text for the caller. */
export class LoginRefused extends AppError {
  readonly verdict: Verdict;

  constructor(message: string, verdict: Omit<Verdict, 'outcome'>) {
    super('bad-request', message);
    this.verdict = { ...verdict, outcome: 'refused' };
  }
}

/** Runs one step on the way to a token. What it refuses becomes a `LoginRefused` with the same text. */
export async function refusing<T>(check: string, expected: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'bad-request') throw error;
    throw new LoginRefused(error.message, { check, expected, actual: error.message });
  }
}

/** Advice for a login that a role admits and that gets no token. */
export const REFUSAL_HINTS: Readonly<Record<string, string>> = {
  role: 'List the roles of the mount, and name one of them in the login.',
  entity: 'Enable the entity again: write disabled=false to identity/entity/id/<id>.',
  alias: 'Use another name: alias_source of a certificate mount, user_claim of a role for tokens.',
  token_num_uses:
    'Set token_num_uses of the role to 0, or have the role and the mount give service tokens: uses of batch tokens are not counted.',
  token_strictly_bind_ip: 'Turn token_strictly_bind_ip off, or log in from where the address of the client is known.',
  token: 'Shorten what the role and the login say of the token: metadata, policies, names.',
};
