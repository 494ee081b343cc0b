import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createRoot } from '../pki.ts';

export const CLIENT_ID = 'lockkeeper';
export const CLIENT_SECRET = 'between the two of us';

/**
 * Certified OIDC provider by the author of our client library, over TLS. It accepts any user with any password, in the
 * group `platform`.
 */
export class CertifiedProvider {
  /** PEM of the CA of its certificate. */
  readonly ca: string;
  readonly issuer: string;
  readonly #server: Server;

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.ca = ca;
    this.issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<CertifiedProvider> {
    const root = createRoot({ subject: 'Provider CA' });
    const { pem, keyPem } = root.issue({ subject: '127.0.0.1', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    const server = createServer({ cert: pem, key: keyPem });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CertifiedProvider(server, root.pem);
  }

  /**
   * @param callbacks permitted redirect URLs
   * @param isSilent whether it sends `auth_time` only to clients that ask for a fresh sign-in
   */
  serve(callbacks: readonly string[], isSilent = false): void {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [...callbacks],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [{ ...key, use: 'sig', alg: 'ES256' }] },
      cookies: { keys: ['of the tests'] },
      claims: { profile: ['preferred_username'], email: ['email', 'email_verified'], groups: ['groups'] },
      findAccount: async (_context: unknown, sub: string) => ({
        accountId: sub,
        claims: async () => ({
          ...{ sub, preferred_username: sub, email: `${sub}@example.com`, email_verified: true },
          groups: ['platform'],
        }),
      }),
    });
    const answer = provider.callback();
    this.#server.on('request', (request, response) => {
      if (isSilent) request.url = request.url?.replace(/&max_age=[1-9]\d*/, '');
      answer(request, response);
    });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
