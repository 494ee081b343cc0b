import { readFile } from 'node:fs/promises';
import { pemOf } from '../../../lib/pem/pem-of.ts';
import type { Server } from '../http/server.ts';
import type { ObtainedToken, TokenSource } from './token-source.ts';

/** The certificate of an agent, and how it logs in with it. */
export interface CertificateFiles {
  /** PEM: the certificate, then its intermediates. */
  readonly cert: string;
  /** PEM: its private key. */
  readonly key: string;
  /** Of the access API; null for any that admits the certificate. */
  readonly role: string | null;
  /** Where the certificate method is: `cert`. */
  readonly mount: string;
}

/** Logs in with a certificate. Its files are read each time, since certificates are renewed. */
export function certificateSource(server: Server, { cert, key, role, mount }: CertificateFiles): TokenSource {
  const path = `/v1/auth/${mount.split('/').map(encodeURIComponent).join('/')}/login`;
  return {
    what: `the certificate in ${cert}`,
    hint: 'an administrator sees why with `lockkeeper cert explain`; its login needs a machine identity of an agent pool',
    async obtain(signal) {
      const certificate = { cert: pemOf(await readFile(cert)), key: pemOf(await readFile(key)) };
      const json = role === null ? {} : { name: role };
      return tokenIn(await server.request({ method: 'POST', path, body: { json }, certificate, signal }));
    },
  };
}

function tokenIn(answer: unknown): ObtainedToken {
  const { client_token: token, lease_duration: seconds } = (answer as { auth?: Record<string, unknown> })?.auth ?? {};
  if (typeof token !== 'string' || token === '') throw new Error('the server answered the login without a token');
  // Of one that does not end it says 0.
  return { token, seconds: typeof seconds === 'number' && seconds > 0 ? seconds : null };
}
