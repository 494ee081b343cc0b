import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignInConfig } from '../../../src/config/index.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import type { Answer, CallOptions } from '../http.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts';
import { TestProvider } from './provider.ts';

const START = '/app/~session/oidc';
const SERVICES = ['access', 'workspaces', 'console'] as const;
const OWN = { 'x-lockkeeper-console': '1', 'sec-fetch-site': 'same-origin' };

const cookiesOf = ({ headers }: Answer) =>
  (headers['set-cookie'] ?? []).map((one) => one.split(';')[0] ?? '').filter((one) => !one.endsWith('='));

/** A signed-in user: the cookies of their browser. */
export type Session = Answer;

/** A server whose users sign in with a provider that a test controls. */
export class SigningIn {
  readonly provider: TestProvider;
  readonly server: TestServer;
  readonly #folder: string;
  readonly #startBeside: (beside: TestServer) => Promise<TestServer>;

  private constructor(
    provider: TestProvider,
    server: TestServer,
    folder: string,
    startBeside: (beside: TestServer) => Promise<TestServer>,
  ) {
    this.provider = provider;
    this.server = server;
    this.#folder = folder;
    this.#startBeside = startBeside;
  }

  /** @param more settings of the provider. @param besides other settings of the server */
  static async start(
    kind: Dialect,
    settings: Partial<SignInConfig> = {},
    more: object = {},
    besides: TestServerOptions = {},
  ): Promise<SigningIn> {
    const provider = await TestProvider.start();
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
    const authorities = join(folder, 'provider.pem');
    writeFileSync(authorities, provider.ca);
    const rules = { create: 'always', linkByEmail: false, ssoTeamIds: true, teams: [], siteAdminGroups: [] } as const;
    const signIn = {
      ...{ sessionIdle: 8 * 3600, sessionLifetime: 24 * 3600, reauthenticateAfter: 3600, organizationProviders: true },
      ...settings,
      oidc: { ...provider.settings(authorities), rules, ...more },
    };
    const options = { services: SERVICES, signIn, notifications: { allowedAddresses: ['127.0.0.1'] }, ...besides };
    const server = await startTestServer(kind, options);
    return new SigningIn(provider, server, folder, (beside) => startTestServer(kind, { ...options, beside }));
  }

  /** Starts another node; stop it before this one. */
  beside(): Promise<TestServer> {
    return this.#startBeside(this.server);
  }

  /** @param organization whose own provider is used; absent: the server's provider */
  begin(query: Readonly<Record<string, string>> = {}, session?: Session, organization?: string): Promise<Answer> {
    const place = organization === undefined ? START : `${START}/organizations/${organization}`;
    const cookie = session && { cookie: cookiesOf(session).join('; ') };
    const headers = { 'sec-fetch-site': 'same-origin', ...cookie };
    return this.server.call('GET', `${place}?${new URLSearchParams(query)}`, { headers });
  }

  /** @param session additional cookies of the browser. @param provider that the browser was sent to */
  comeBack(begun: Answer, session?: Session, provider = this.provider): Promise<Session> {
    const { pathname, search } = new URL(provider.back(begun.headers.location ?? ''));
    const cookie = [...(session ? cookiesOf(session) : []), ...cookiesOf(begun)].join('; ');
    return this.server.call('GET', `${pathname}${search}`, { headers: { cookie, 'sec-fetch-site': 'cross-site' } });
  }

  /** @param person additional claims about the user */
  async signIn(person: object = {}): Promise<Session> {
    Object.assign(this.provider, { person: { ...this.provider.person, ...person } });
    return this.comeBack(await this.begin());
  }

  as(session: Session, method: string, path: string, options: CallOptions = {}, server = this.server): Promise<Answer> {
    const headers = { ...OWN, ...options.headers, cookie: cookiesOf(session).join('; ') };
    return server.call(method, path, { ...options, headers });
  }

  /** Returns undefined once the session has expired or was ended. */
  async whoIs(session: Session, server = this.server): Promise<string | undefined> {
    return (await this.as(session, 'GET', '/api/v2/account/details', {}, server)).body?.data?.attributes?.username;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.provider.stop();
    rmSync(this.#folder, { recursive: true });
  }
}
