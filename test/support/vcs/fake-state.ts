import type { TestRepository } from '../git-server.ts';

export const NO_COMMIT = '0'.repeat(40);

export type Flavour = 'github' | 'gitea' | 'gitlab' | 'bitbucket-cloud' | 'bitbucket-server' | 'azure';

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
  /** Headers that each delivery has besides those of the provider. */
  headers?: Readonly<Record<string, string>>;
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
