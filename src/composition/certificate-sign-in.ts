import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/index.ts';
import type { ListenerConfig } from '../config/index.ts';
import type { CertificateSignIn } from '../console/index.ts';
import { AppError } from '../lib/errors.ts';

const LOGIN = 'auth/cert/login';
const HERE = '/app/~session';

/**
 * Sign-in with the certificate of the connection. A listener that requests no certificate redirects the browser to one
 * that does, on the same host: cookies are shared between ports.
 */
export function certificateSignIn(
  listener: ListenerConfig,
  listeners: readonly ListenerConfig[],
  { ask }: Access,
): CertificateSignIn {
  const isHere = seesCertificates(listener);
  const other = listeners.find((one) => seesCertificates(one) && one.tls && one.port !== 0);
  return {
    isHere,
    addressFor({ hostname }) {
      if (isHere) return HERE;
      return other && `https://${hostname}:${other.port}${HERE}/certificate`;
    },
    async logIn(request, role) {
      if (!seesCertificates(listener)) {
        throw new AppError(
          'forbidden',
          'No listener of this server requests client certificates, so sign-in with a certificate is not possible',
        );
      }
      const data = role === undefined ? {} : { name: role };
      const { auth } = await ask(request, { method: 'POST', path: LOGIN, data });
      if (!auth) throw new AppError('forbidden', 'The login returned no token');
      return auth.client_token;
    },
    wayBack: (request, to) => (isOurs(request, to, listeners) ? to : undefined),
  };
}

function seesCertificates({ services, requestClientCertificate, forwarded }: ListenerConfig): boolean {
  const isLogin = services.includes('access') && services.includes('console');
  return isLogin && (requestClientCertificate || forwarded !== undefined);
}

/** Returns a console URL on this host and one of our ports. */
function isOurs({ hostname }: FastifyRequest, to: string, listeners: readonly ListenerConfig[]): boolean {
  const url = URL.parse(to);
  if (url?.protocol !== 'https:' || url.hostname !== hostname || url.username !== '') return false;
  const port = Number(url.port || 443);
  const isPort = listeners.some((one) => one.port === port && one.services.includes('console'));
  return isPort && /^\/app(\/|$)/.test(url.pathname);
}
