import { createHash } from 'node:crypto';
import type { TestRepository } from '../git-server.ts';
import type { FakeRequest, FakeResponse } from './fake-server.ts';

export type Flavour = 'github' | 'gitea';

/** A repository of a fake provider, with a real Git repository behind it. */
export interface FakeRepository {
  readonly id: number;
  /** `owner/name` */
  fullName: string;
  /** Names that it had before. */
  readonly oldNames: string[];
  readonly git: TestRepository;
  defaultBranch: string;
  isPrivate: boolean;
  readonly pulls: FakePull[];
  readonly hooks: FakeHook[];
}

export interface FakePull {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  isMerged: boolean;
  isDraft: boolean;
  baseRef: string;
  /** Repository of the change; null: it was deleted. */
  head: FakeRepository | null;
  headRef: string;
  headId: string;
  mergeBase: string;
  updatedAt: number;
}

export interface FakeHook {
  readonly id: number;
  url: string;
  secret: string;
  events: readonly string[];
}

/** A status, check run or comment that somebody has sent. */
export interface FakeReport {
  readonly id: number;
  readonly repositoryId: number;
  /** Commit, or number of the pull request. */
  readonly of: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  body: any;
}

/** State of a fake provider, which tests read and change. */
export interface FakeState {
  readonly flavour: Flavour;
  readonly repositories: FakeRepository[];
  readonly statuses: FakeReport[];
  readonly checks: FakeReport[];
  readonly comments: FakeReport[];
  /** Accepted tokens, with the login of their account. */
  readonly tokens: Map<string, string>;
  /** OAuth client, and lifetime of its tokens in seconds; undefined: they do not end. */
  readonly oauth: { readonly clientId: string; readonly clientSecret: string; expiresIn: number | undefined };
  readonly refreshTokens: Map<string, string>;
  /** Left requests, and when they are renewed (seconds since 1970); undefined: no limit. */
  rateLimit: { remaining: number; readonly reset: number } | undefined;
  /** Apps by client id. GitHub only. */
  readonly apps: Map<string, FakeApp>;
  readonly installationTokens: Map<string, InstallationToken>;
  /** Base URL of the pages. */
  address: string;
  /** Clock against which tokens of Apps are checked. */
  clock: () => number;
}

/** An App at the fake GitHub. */
export interface FakeApp {
  readonly id: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** PEM. */
  readonly privateKey: string;
  readonly name: string;
  readonly hook: { readonly url: string; readonly secret: string } | undefined;
  readonly installations: FakeInstallation[];
}

export interface FakeInstallation {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Organization';
  /** Logins of the people who may use it. */
  readonly users: readonly string[];
}

/** Permissions of a token of an installation. */
export interface InstallationToken {
  readonly installationId: number;
  readonly repositoryIds: readonly number[];
  readonly permissions: object;
}

/** Returns what a token of an installation may do. */
export function grantOf({ installationTokens }: FakeState, token: string): InstallationToken | undefined {
  return installationTokens.get(token);
}

export function isInstallationToken(state: FakeState, authorization: string | undefined): boolean {
  return grantOf(state, (authorization ?? '').replace(/^\S+ /, '')) !== undefined;
}

export function loginOf(state: FakeState, authorization: string | undefined): string | undefined {
  const token = /^(?:Bearer|token) (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  return state.tokens.get(token) ?? (isInstallationToken(state, authorization) ? '' : undefined);
}

export function userOf({ address }: FakeState, login: string) {
  return { login, id: 7, avatar_url: `${address}/${login}.png`, html_url: `${address}/${login}`, type: 'User' };
}

export function sorted({ repositories }: FakeState): FakeRepository[] {
  return repositories.toReversed();
}

export function repositoryBody(state: FakeState, { id, fullName, defaultBranch, isPrivate, git }: FakeRepository) {
  const [owner = '', name] = fullName.split('/');
  return {
    ...{
      id,
      name,
      full_name: fullName,
      private: isPrivate,
      owner: userOf(state, owner),
      default_branch: defaultBranch,
    },
    ...{ html_url: `${state.address}/${fullName}`, clone_url: git.url, fork: false },
  };
}

/** Returns a page of a list. GitHub answers with an ETag, Gitea without. */
export function listed(
  state: FakeState,
  { query, path, headers }: FakeRequest,
  items: readonly unknown[],
): FakeResponse {
  const size = Number(query.get(state.flavour === 'gitea' ? 'limit' : 'per_page') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const body = items.slice((page - 1) * size, page * size);
  const next = new URLSearchParams({ ...Object.fromEntries(query), page: String(page + 1) });
  const link = items.length > page * size ? { link: `<${state.address}${path}?${next}>; rel="next"` } : {};
  if (state.flavour === 'gitea') return { headers: link, body };
  const etag = `W/"${createHash('sha256').update(JSON.stringify(body)).digest('hex')}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { ...link, etag } };
  return { headers: { ...link, etag }, body };
}
