import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { createRoot } from '../pki.ts';

type Json = Readonly<Record<string, unknown>>;

/** Claims of the provider about a user; a test changes them. */
export interface Says {
  /** Claims of the ID token that override the correct ones. */
  claims: Json;
  userinfo: Json;
  /** Parameters of the redirect that override the correct ones; undefined removes one. */
  back: Readonly<Record<string, string | undefined>>;
  /** Signature of the ID token: `none` leaves it out, `stranger` uses an unpublished key. */
  signedBy: 'key' | 'stranger' | 'none' | 'secret';
  /** Responses that replace those of a path. */
  instead: Readonly<Record<string, { readonly status: number; readonly body: string }>>;
  metadata: Json;
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /** Paths that never respond, or send one byte from time to time. */
  slow: Readonly<Record<string, 'hangs' | 'drips'>>;
}

const RIGHT: Says = {
  claims: {},
  userinfo: {},
  back: {},
  signedBy: 'key',
  instead: {},
  metadata: {},
  headers: {},
  slow: {},
};
const SECRET = 'between us two';

/** An OIDC provider over TLS whose responses a test controls. */
export class TestProvider {
  readonly ca: string;
  readonly issuer: string;
  readonly says: Says = { ...RIGHT };
  /** Claims of the user who signs in. */
  person: Json = { sub: 'ada-1', preferred_username: 'ada', email: 'ada@example.com', email_verified: true };
  /** Requested paths, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #codes = new Map<string, { readonly nonce: string; readonly challenge: string; readonly person: Json }>();
  #key = newKey();

  private constructor(server: Server, ca: string) {
    this.#server = server;
    this.ca = ca;
    this.issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const url = new URL(request.url ?? '', this.issuer);
      this.asked.push(url.pathname);
      const slow = this.says.slow[url.pathname];
      if (slow === 'hangs') return;
      const instead = this.says.instead[url.pathname];
      const { status, body } = instead ?? (await this.#answer(url, Buffer.concat(chunks).toString()));
      response.writeHead(status, { 'content-type': 'application/json', ...this.says.headers });
      if (slow === undefined) {
        response.end(body);
        return;
      }
      const drip = setInterval(() => response.write(' '), 200);
      response.once('close', () => clearInterval(drip));
    });
  }

  static async start(): Promise<TestProvider> {
    const root = createRoot({ subject: 'Provider CA' });
    const { pem, keyPem } = root.issue({ subject: '127.0.0.1', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    const server = createServer({ cert: pem, key: keyPem });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TestProvider(server, root.pem);
  }

  /** Settings of the server for this provider. @param authoritiesFile file with the PEM of `ca` */
  settings(authoritiesFile: string) {
    return {
      name: 'Example ID',
      issuer: this.issuer,
      clientId: 'lockkeeper',
      clientSecret: SECRET,
      scopes: ['openid', 'profile', 'email'],
      claims: { name: 'preferred_username', email: 'email', groups: 'groups' },
      authoritiesFile,
      allowedAddresses: ['127.0.0.1'],
    };
  }

  /** Number of connections to it. */
  open(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  /** Resets all overrides. */
  reset(): void {
    Object.assign(this.says, RIGHT);
  }

  rotate(): void {
    this.#key = newKey();
  }

  /** Signs in a user whose browser was sent here. @returns the URL of the redirect back */
  back(asked: string): string {
    const { searchParams: query } = new URL(asked);
    const code = randomUUID();
    const [nonce, challenge] = [query.get('nonce') ?? '', query.get('code_challenge') ?? ''];
    this.#codes.set(code, { nonce, challenge, person: this.person });
    const url = new URL(query.get('redirect_uri') ?? '');
    const parameters = { code, state: query.get('state') ?? '', iss: this.issuer, ...this.says.back };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Sends a back-channel logout. @param claims that override the correct ones; undefined removes one. @param typ of
   * its header
   */
  async logoutToken(claims: Json = {}, typ: string | undefined = 'logout+jwt'): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return this.#signed(
      {
        ...{ iss: this.issuer, aud: 'lockkeeper', iat: now, exp: now + 120, jti: randomUUID(), sub: this.person.sub },
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      },
      typ,
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(url: URL, body: string): Promise<{ status: number; body: string }> {
    const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value) });
    if (url.pathname === '/.well-known/openid-configuration') return json(this.#metadata());
    if (url.pathname === '/keys') return json({ keys: [{ ...(await this.#key).jwk, kid: (await this.#key).kid }] });
    if (url.pathname === '/userinfo') return json({ sub: this.person.sub, ...this.says.userinfo });
    if (url.pathname !== '/token') return json({ error: 'not_found' }, 404);
    const form = new URLSearchParams(body);
    const known = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    if (known === undefined || !form.get('code_verifier')) return json({ error: 'invalid_grant' }, 400);
    const token = await this.#idToken({ ...known.person, nonce: known.nonce });
    return json({ access_token: 'at-of-the-provider', token_type: 'Bearer', expires_in: 60, id_token: token });
  }

  #metadata(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.says.metadata,
    };
  }

  async #idToken(person: Json): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return this.#signed({
      ...{ iss: this.issuer, aud: 'lockkeeper', iat: now, exp: now + 300 },
      ...person,
      ...this.says.claims,
    });
  }

  async #signed(claims: Json, typ?: string): Promise<string> {
    const header = typ === undefined ? {} : { typ };
    if (this.says.signedBy === 'none') return new UnsecuredJWT(claims).encode();
    if (this.says.signedBy === 'secret') {
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', ...header }).sign(new TextEncoder().encode(SECRET));
    }
    const { kid, privateKey } = await (this.says.signedBy === 'stranger' ? newKey() : this.#key);
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(privateKey);
  }
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid: randomUUID(), privateKey, jwk: { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' } };
}
