import { expectDone } from '../client/answer-error.ts';
import { type Answer, createClient } from '../client/client.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import type { KeptToken } from './token-cache.ts';

/** Certificate login of a machine. */
export interface CertificateLogin {
  readonly address: string;
  readonly ca: string | undefined;
  /** PEM, the leaf first. */
  readonly cert: string;
  /** PEM */
  readonly key: string;
  /** Empty: any role that accepts the certificate. */
  readonly role: string;
  readonly mount: string;
}

/** Login response, and the part of it that is cached. */
export interface LoggedIn {
  readonly answer: unknown;
  readonly auth: Readonly<Record<string, unknown>>;
  readonly kept: KeptToken;
}

/** Logs in with the certificate of the connection (spec §4.2). @throws CommandError with the next step */
export async function logIn(login: CertificateLogin): Promise<LoggedIn> {
  const path = `/v1/auth/${login.mount.split('/').map(encodeURIComponent).join('/')}/login`;
  const answer = await clientOf(login)('POST', path, login.role === '' ? {} : { name: login.role });
  if (answer.status === 400) throw refused(answer);
  return readAuth(expectDone(answer));
}

/** Renews a token of the same certificate. @throws CommandError if the server refuses */
export async function renew(login: CertificateLogin, token: string): Promise<LoggedIn> {
  return readAuth(expectDone(await clientOf(login, token)('POST', '/v1/auth/token/renew-self', {})));
}

function clientOf({ address, ca, cert, key }: CertificateLogin, token?: string) {
  return createClient({ address, ca, token, certificate: { cert, key } });
}

/** The server returns no reason to unauthenticated clients. An administrator can request an explanation. */
function refused(answer: Answer): CommandError {
  try {
    expectDone(answer);
  } catch (error) {
    const hint = 'no role accepts the certificate; an administrator can see why with `lockkeeper cert explain FILE`';
    return new CommandError(`${(error as Error).message}\n${hint}`, EXIT.refused);
  }
  return new CommandError('the server refused the login', EXIT.refused);
}

function readAuth({ body }: Answer): LoggedIn {
  const { auth } = (body ?? {}) as { auth?: Record<string, unknown> | null };
  const { client_token: token, lease_duration: seconds, renewable } = auth ?? {};
  if (!auth || typeof token !== 'string' || token === '') {
    throw new CommandError('the login response contains no token', EXIT.unavailable);
  }
  const ttl = typeof seconds === 'number' ? seconds * 1000 : 0;
  return { answer: body, auth, kept: { token, ttl, expiresAt: Date.now() + ttl, renewable: renewable === true } };
}
