import { request } from 'node:https';
import { expect, onTestFinished } from 'vitest';
import type { Dialect } from '../../../src/storage/index.ts';
import type { Answer, CallOptions } from '../../support/http.ts';
import { type Issuer, startIssuer } from '../../support/jwt/issuer.ts';
import { TestProvider } from '../../support/oidc/provider.ts';
import { SigningIn } from '../../support/oidc/signing-in.ts';
import { createRoot } from '../../support/pki.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import type { TestServer } from '../../support/server.ts';

/** A kind of credential that is derived from another one. */
export interface Derivation {
  /** Name in the table in docs/guides/tokens.md. */
  readonly name: string;
  /** Sources that create or accept it. */
  readonly sources: readonly string[];
  /** Ways in which its origin ends, each with a function that creates such an origin. */
  readonly endings: Readonly<Record<string, (world: World) => Promise<Derived>>>;
  /** The credential can be used only once. A new one is made for the check after its origin has ended. */
  readonly once?: true;
  /** The credential ends within seconds instead of at the next use: a stream, which is checked periodically. */
  readonly soon?: true;
}

/** A derived credential. */
export interface Derived {
  /** Ways to use the credential, by name. Each resolves to whether the request was allowed. */
  readonly uses: Readonly<Record<string, (node: TestServer) => Promise<boolean>>>;
  /** Ends its origin. */
  end(): Promise<unknown>;
}

/** A user with a token and an organization of their own. */
export interface Person {
  readonly id: string;
  readonly token: string;
  readonly tokenId: string;
  readonly organization: string;
}

export const isIn = ({ status }: Pick<Answer, 'status'>): boolean => status < 300;
const OWN = { 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Two nodes of one server, and the services around them. */
export class World {
  readonly #on: SigningIn;
  readonly server: TestServer;
  readonly nodes: readonly TestServer[];
  readonly receiver: Receiver;
  readonly issuer: Issuer;
  readonly provider: TestProvider;
  readonly clientCa = createRoot({ subject: 'Clients' });
  #names = 0;

  private constructor(on: SigningIn, beside: TestServer, receiver: Receiver, issuer: Issuer, provider: TestProvider) {
    this.#on = on;
    this.server = on.server;
    this.nodes = [on.server, beside];
    this.receiver = receiver;
    this.issuer = issuer;
    this.provider = provider;
  }

  static async start(kind: Dialect): Promise<World> {
    const receiver = await startReceiver();
    const notifications = { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile };
    const on = await SigningIn.start(kind, {}, {}, { notifications });
    await on.server.application.workspaces.tenancy.users.setSiteAdmin('first', true);
    return new World(on, await on.beside(), receiver, await startIssuer(), await TestProvider.start());
  }

  async stop(): Promise<void> {
    await this.nodes[1]?.stop();
    await this.#on.stop();
    await Promise.all([this.receiver.stop(), this.issuer.stop(), this.provider.stop()]);
  }

  name(): string {
    return `n-${++this.#names}`;
  }

  /** Creates a resource with a token, by default that of the first user. @returns the resource */
  async made(
    path: string,
    type: string,
    attributes: object = {},
    more: { token?: string; relationships?: object } = {},
  ) {
    const { token = this.server.userToken, relationships } = more;
    const body = { data: { type, attributes, ...(relationships && { relationships }) } };
    const answer = await this.server.call('POST', `/api/v2${path}`, { token, body });
    expect(answer.status, `${path}: ${answer.text}`).toBe(201);
    return answer.body.data;
  }

  /** @throws Error unless the request succeeds */
  async done(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.server.call(method, path, { token: this.server.userToken, ...options });
    expect(isIn(answer), `${method} ${path}: ${answer.text}`).toBe(true);
    return answer;
  }

  async person(): Promise<Person> {
    const { users, tokens } = this.server.application.workspaces.tenancy;
    const username = this.name();
    const { id } = await users.create({ username, email: `${username}@example.com` });
    const { text: token, token: kept } = await tokens.issue(id, { description: 'their own', expiresAt: null });
    const organization = `org-${username}`;
    await this.made('/organizations', 'organizations', { name: organization, email: 'a@example.com' }, { token });
    return { id, token, tokenId: kept.id, organization };
  }

  suspend({ id }: Pick<Person, 'id'>) {
    return this.done('POST', `/api/v2/admin/users/${id}/actions/suspend`);
  }

  deleteToken(id: string, token = this.server.userToken) {
    return this.done('DELETE', `/api/v2/authentication-tokens/${id}`, { token });
  }

  /** Signs in at the console with a token. @returns a function that sends requests with the session */
  async signIn(token: string) {
    const headers = { ...OWN, 'content-type': 'application/json' };
    const { headers: got } = await this.done('POST', '/app/~session', { body: { token }, headers });
    return this.asCookie(got['set-cookie']?.[0]?.split(';')[0] ?? '');
  }

  asCookie(cookie: string) {
    return (node: TestServer, method: string, path: string, body?: unknown) =>
      node.call(method, path, { headers: { ...OWN, cookie }, ...(body !== undefined && { body }) });
  }

  /** Signs in a user with the provider of an organization. */
  async signInWithProvider(organization: string, person: object) {
    this.provider.person = { ...this.provider.person, ...person };
    const session = await this.#on.comeBack(
      await this.#on.begin({}, undefined, organization),
      undefined,
      this.provider,
    );
    return (node: TestServer, method: string, path: string) => this.#on.as(session, method, path, {}, node);
  }

  form(node: TestServer, path: string, fields: Record<string, string>, headers = {}): Promise<Answer> {
    return node.call('POST', path, { body: new URLSearchParams(fields).toString(), headers: { ...FORM, ...headers } });
  }

  /** Follows the events of a node. @returns whether the stream is still open; undefined if it was refused */
  follow({ address, ca }: TestServer, token: string): Promise<(() => boolean) | undefined> {
    return new Promise((resolve, reject) => {
      const url = new URL('/api/v2/events', address);
      const outgoing = request(url, { ca, agent: false, headers: { authorization: `Bearer ${token}` } }, (incoming) => {
        let isOver = false;
        incoming.on('close', () => {
          isOver = true;
        });
        incoming.on('error', () => {}).resume();
        resolve(incoming.statusCode === 200 ? () => !isOver : undefined);
      });
      outgoing.on('error', reject).end();
      onTestFinished(() => void outgoing.destroy());
    });
  }

  /** Logs in a certificate with its own role. @returns the role, and a function that logs in again */
  async role() {
    const role = this.name();
    await this.server.root('POST', `/v1/auth/cert/certs/${role}`, { certificate: this.clientCa.pem, token_ttl: '1h' });
    const certificate = this.clientCa.issue({ subject: `runner-${role}` });
    const login = async (): Promise<string> =>
      (await this.done('POST', '/v1/auth/cert/login', { certificate, body: { name: role }, token: '' })).body.auth
        .client_token;
    return { role, login };
  }

  revoke(token: string) {
    return this.server.root('POST', '/v1/auth/token/revoke', { token });
  }
}
