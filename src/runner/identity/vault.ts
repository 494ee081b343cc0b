import type { VaultLogin } from '../job.ts';
import { JobFailure } from '../ports.ts';
import { type Answer, ask, askPatiently } from './ask.ts';

/** Timeout for revoking a token, in ms. */
const REVOKE_IN = 5_000;
/** Minimum time between two renewals, in ms. */
const SHORTEST = 5_000;
/** Maximum length of an error text of Vault, in characters. */
const SHOWN = 300;
/** Longest timer of Node.js, in ms. */
const TIMER_RANGE = 2 ** 31 - 1;

/** A Vault token of a job. It is renewed while the job runs, and revoked at its end. */
export class VaultToken {
  readonly text: string;
  readonly #login: VaultLogin;
  /** Aborts a renewal in progress when the token is revoked. */
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Logs in with a JWT.
   * @param signal aborts the login
   * @throws JobFailure if the login fails
   */
  static async logIn(login: VaultLogin, signal: AbortSignal): Promise<VaultToken> {
    const path = login.path.split('/').map(encodeURIComponent).join('/');
    const question = questionOf(login, `auth/${path}/login`, { role: login.role, jwt: login.token });
    const answer = await askPatiently(question, signal).catch((error: Error) => {
      signal.throwIfAborted();
      throw new JobFailure(`Vault at ${login.address} did not respond: ${error.message || error.name}`);
    });
    const auth = authOf(answer);
    if (auth !== undefined) return new VaultToken(login, auth);
    throw new JobFailure(
      `Vault at ${login.address} rejected the login with the role ${login.role} of auth/${login.path}: ${wrongWith(answer)}`,
    );
  }

  private constructor(login: VaultLogin, auth: Auth) {
    this.#login = login;
    this.text = auth.token;
    this.#renewLater(auth);
  }

  /** Revokes the token. @returns false if that failed, so that the token remains valid until it expires */
  async revoke(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#over.abort();
    const question = questionOf(this.#login, 'auth/token/revoke-self', {}, this.text);
    const answer = await ask(question, AbortSignal.timeout(REVOKE_IN)).catch(() => undefined);
    return answer !== undefined && answer.status < 300;
  }

  #renewLater({ lease, isRenewable }: Omit<Auth, 'token'>): void {
    if (!isRenewable || lease === 0) return;
    // Renews after half of the lease, so that a failed renewal can be repeated before the token expires.
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
  /** Lease duration in seconds. */
  readonly lease: number;
  readonly isRenewable: boolean;
}

function authOf({ status, body }: Answer): Auth | undefined {
  if (status !== 200) return undefined;
  const { auth } = (body ?? {}) as { auth?: { client_token?: unknown; lease_duration?: unknown; renewable?: unknown } };
  const token = auth?.client_token;
  // The token becomes an HTTP header and an environment variable.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) return undefined;
  const lease = Number(auth?.lease_duration);
  return { token, lease: lease > 0 ? lease : 0, isRenewable: auth?.renewable === true };
}

/** Returns the error of a response in one line, truncated. */
function wrongWith({ status, body }: Answer): string {
  const { errors } = (body ?? {}) as { errors?: unknown };
  const said = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string').join('; ') : '';
  const line = said.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN);
  return line === '' ? `it answered with status ${status}` : line;
}
