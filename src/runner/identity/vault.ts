import type { VaultLogin } from '../job.ts';
import { JobFailure } from '../ports.ts';
import { type Answer, ask, askPatiently } from './ask.ts';

/** How long the end of a token may take, milliseconds. */
const REVOKE_IN = 5_000;
/** The shortest time between two renewals, milliseconds. */
const SHORTEST = 5_000;
/** Of what a Vault says is wrong, characters. */
const SHOWN = 300;
/** A timer takes no more milliseconds. */
const TIMER_RANGE = 2 ** 31 - 1;

/** A token of Vault that a job has: renewed as long as that runs, and revoked when it is over. */
export class VaultToken {
  readonly text: string;
  readonly #login: VaultLogin;
  /** Of a renewal. */
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param signal nobody needs it any more
   * @throws JobFailure when it is not to be had
   */
  static async logIn(login: VaultLogin, signal: AbortSignal): Promise<VaultToken> {
    const path = login.path.split('/').map(encodeURIComponent).join('/');
    const question = questionOf(login, `auth/${path}/login`, { role: login.role, jwt: login.token });
    const answer = await askPatiently(question, signal).catch((error: Error) => {
      signal.throwIfAborted();
      throw new JobFailure(`Vault at ${login.address} did not answer: ${error.message || error.name}`);
    });
    const auth = authOf(answer);
    if (auth !== undefined) return new VaultToken(login, auth);
    throw new JobFailure(
      `Vault at ${login.address} does not let the run in with the role ${login.role} of auth/${login.path}: ${wrongWith(answer)}`,
    );
  }

  private constructor(login: VaultLogin, auth: Auth) {
    this.#login = login;
    this.text = auth.token;
    this.#renewLater(auth);
  }

  /** @returns false where the token lives on until its time is over */
  async revoke(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#over.abort();
    const question = questionOf(this.#login, 'auth/token/revoke-self', {}, this.text);
    const answer = await ask(question, AbortSignal.timeout(REVOKE_IN)).catch(() => undefined);
    return answer !== undefined && answer.status < 300;
  }

  #renewLater({ lease, isRenewable }: Omit<Auth, 'token'>): void {
    if (!isRenewable || lease === 0) return;
    // One that fails is tried again before the token is over.
    const pause = Math.min(TIMER_RANGE, Math.max(SHORTEST, (lease * 1000) / 2));
    this.#timer = setTimeout(() => void this.#renew(lease), pause);
    this.#timer.unref();
  }

  async #renew(lease: number): Promise<void> {
    const question = questionOf(this.#login, 'auth/token/renew-self', {}, this.text);
    const answer = await ask(question, this.#over.signal).catch(() => undefined);
    if (this.#over.signal.aborted) return;
    const auth = answer && authOf(answer);
    this.#renewLater(auth ?? { lease: lease / 2, isRenewable: lease * 1000 > SHORTEST });
  }
}

function questionOf({ address, namespace, authorities }: VaultLogin, path: string, body: object, token = '') {
  const headers = {
    'x-vault-request': 'true',
    ...(namespace && { 'x-vault-namespace': namespace }),
    ...(token && { 'x-vault-token': token }),
  };
  return { url: `${address}/v1/${path}`, headers, body, authorities };
}

interface Auth {
  readonly token: string;
  /** Seconds. */
  readonly lease: number;
  readonly isRenewable: boolean;
}

function authOf({ status, body }: Answer): Auth | undefined {
  if (status !== 200) return undefined;
  const { auth } = (body ?? {}) as { auth?: { client_token?: unknown; lease_duration?: unknown; renewable?: unknown } };
  const token = auth?.client_token;
  // It becomes a header, and a variable.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) return undefined;
  const lease = Number(auth?.lease_duration);
  return { token, lease: lease > 0 ? lease : 0, isRenewable: auth?.renewable === true };
}

/** In one line, as much as a person reads. */
function wrongWith({ status, body }: Answer): string {
  const { errors } = (body ?? {}) as { errors?: unknown };
  const said = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string').join('; ') : '';
  const line = said.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
  return line === '' ? `it answered ${status}` : line;
}
