import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import Type from 'typebox';
import type { Clock } from '../../../../../lib/clock.ts';
import { lruCache } from '../../../../../lib/lru-cache.ts';
import { hasNextPage, urlOf } from '../../http/pages.ts';
import { reader } from '../../http/untrusted.ts';
import type { ProviderHttp, ProviderRequest, ProviderResponse } from '../../port.ts';
import { ProviderError } from '../../provider-error.ts';
import { GITHUB_HEADERS } from '../headers.ts';
import { type Installation, toInstallation } from './installation.ts';

/** @limit cached tokens of installations of GitHub Apps, tokens -> the one that was used least recently is requested again */
const MAX_TOKENS = 10_000;
/** Installation tokens live one hour. A request that starts late must not get one that ends meanwhile. */
const TOKEN_MS = 50 * 60_000;
/** GitHub refuses a JWT that lives longer than ten minutes, and its clock may be behind. */
const JWT_BACKDATED_SECONDS = 60;
const JWT_SECONDS = 540;
const PAGE_SIZE = 100;

/** A GitHub App, and the way to its API. */
export interface GitHubApp {
  readonly apiUrl: string;
  readonly clientId: string;
  /** PEM of its RSA key. */
  readonly privateKey: string;
  readonly http: ProviderHttp;
}

/** Permissions of a token, such as `{ contents: 'read' }`. */
export type TokenPermissions = Readonly<Record<string, 'read' | 'write'>>;

/** Permissions for each purpose. A token for one purpose cannot serve the other. */
export const TOKEN_PERMISSIONS = {
  /** Refs, commits and pull requests. */
  read: { contents: 'read', metadata: 'read', pull_requests: 'read' },
  /** Statuses, check runs and comments. */
  report: { checks: 'write', metadata: 'read', pull_requests: 'write', statuses: 'write' },
} as const satisfies Record<string, TokenPermissions>;

/** Restriction of a token. */
export interface TokenScope {
  /** Provider's ids of the repositories, 500 at most; empty: all of the installation. */
  readonly repositoryIds: readonly string[];
  readonly permissions: TokenPermissions;
}

export interface InstallationPage {
  readonly items: readonly Installation[];
  readonly nextPage: number | null;
}

const readList = reader('list of installations', Type.Array(Type.Unknown(), { maxItems: PAGE_SIZE }));
const readToken = reader(
  'token of an installation',
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 4096 }) }),
);

/** Requests of GitHub Apps about themselves. Tokens of their installations are cached in memory. */
export class GitHubApps {
  readonly #clock: Clock;
  readonly #tokens = lruCache<string, { readonly token: Promise<string>; readonly until: number }>(MAX_TOKENS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns one page of the installations. @throws ProviderError */
  async installations(app: GitHubApp, page: number): Promise<InstallationPage> {
    const { headers, json } = await this.#call(app, '/app/installations', { query: { per_page: PAGE_SIZE, page } });
    return { items: readList(json).map(toInstallation), nextPage: hasNextPage(headers) ? page + 1 : null };
  }

  /** Finds an installation. @throws ProviderError */
  async installation(app: GitHubApp, installationId: number): Promise<Installation | undefined> {
    const { status, json } = await this.#call(app, `/app/installations/${installationId}`);
    return status === 404 ? undefined : toInstallation(json);
  }

  /**
   * Returns a token of an installation, which is valid for ten minutes at least.
   * @throws ProviderError `refused` if the installation is gone
   */
  token(app: GitHubApp, installationId: number, scope: TokenScope): Promise<string> {
    const key = `${installationKey(app, installationId)}${scopeKey(scope)}`;
    const known = this.#tokens.get(key);
    if (known !== undefined && known.until > this.#clock()) return known.token;
    const token = this.#requestToken(app, installationId, scope);
    this.#tokens.set(key, { token, until: this.#clock() + TOKEN_MS });
    token.catch(() => this.#tokens.get(key)?.token === token && this.#tokens.delete(key));
    return token;
  }

  /** Forgets the tokens of an installation, because it has changed. */
  forget(installationId: number): void {
    const part = `/${installationId}/`;
    for (const key of this.#tokens.keys()) if (key.includes(part)) this.#tokens.delete(key);
  }

  async #requestToken(app: GitHubApp, installationId: number, scope: TokenScope): Promise<string> {
    const { permissions, repositoryIds } = scope;
    const narrowed = repositoryIds.length > 0 && {
      repository_ids: repositoryIds.map(Number),
    };
    const { status, json } = await this.#call(app, `/app/installations/${installationId}/access_tokens`, {
      ...{ method: 'POST', body: { permissions, ...narrowed } },
    });
    if (status === 404) throw new ProviderError('refused', 'The GitHub App is not installed there any more');
    return readToken(json).token;
  }

  async #call(
    { apiUrl, http, ...app }: GitHubApp,
    path: string,
    { query, ...request }: Partial<Pick<ProviderRequest, 'method' | 'body'>> & { query?: Record<string, number> } = {},
  ): Promise<ProviderResponse> {
    const headers = { ...GITHUB_HEADERS, authorization: `Bearer ${await this.#jwt(app)}` };
    return http.send({ method: 'GET', ...request, url: urlOf(apiUrl, path, query), headers });
  }

  #jwt({ clientId, privateKey }: Pick<GitHubApp, 'clientId' | 'privateKey'>): Promise<string> {
    const now = Math.floor(this.#clock() / 1000);
    return new SignJWT()
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(clientId)
      .setIssuedAt(now - JWT_BACKDATED_SECONDS)
      .setExpirationTime(now + JWT_SECONDS)
      .sign(keyOf(privateKey));
  }
}

function keyOf(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error of OpenSSL is for its developers.
  }
  throw new ProviderError('refused', 'The private key of the GitHub App is not an RSA key in PEM');
}

/** The private key is part of the key: a caller with another one gets no token of this one. */
function installationKey({ apiUrl, clientId, privateKey }: GitHubApp, installationId: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([apiUrl, clientId, privateKey]))
    .digest('hex');
  return `${hash}/${installationId}/`;
}

function scopeKey({ repositoryIds, permissions }: TokenScope): string {
  return JSON.stringify([
    repositoryIds.toSorted(),
    Object.entries(permissions).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}
