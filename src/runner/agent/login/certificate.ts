import { readFile } from 'node:fs/promises';
import { pemOf } from '../../../lib/pem/pem-of.ts';
import type { Server } from '../http/server.ts';
import type { ObtainedToken, TokenSource } from './token-source.ts';

/** Client certificate of an agent, and the role and mount for its login. */
export interface CertificateFiles {
  /** PEM: the certificate, then its intermediates. */
  readonly cert: string;
  /** PEM: its private key. */
  readonly key: string;
  /** Role of the access API; null for any role that accepts the certificate. */
  readonly role: string | null;
  /** Path of the cert auth method, usually `cert`. */
  readonly mount: string;
}

/** Logs in with a client certificate. Reads the files each time, because certificates are renewed. */
export function certificateSource(server: Server, { cert, key, role, mount }: CertificateFiles): TokenSource {
  const path = `/v1/auth/${mount.split('/').map(encodeURIComponent).join('/')}/login`;
  return {
    what: `the certificate in ${cert}`,
    hint: 'an administrator can see the reason with `lockkeeper cert explain`; the certificate needs a machine identity of an agent pool',
    async obtain(signal) {
      const certificate = { cert: pemOf(await readFile(cert)), key: pemOf(await readFile(key)) };
      const json = role === null ? {} : { name: role };
      return tokenIn(await server.request({ method: 'POST', path, body: { json }, certificate, signal }));
    },
  };
}

function tokenIn(answer: unknown): ObtainedToken {
  const { client_token: token, lease_duration: seconds } = (answer as { auth?: Record<string, unknown> })?.auth ?? {};
  if (typeof token !== 'string' || token === '') throw new Error('the login response of the server contains no token');
  // 0 means that the token does not expire.
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : null };
}
