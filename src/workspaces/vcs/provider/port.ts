/**
 * Port to VCS providers: everything that differs between them. Each adapter is a folder beside this file and keeps no
 * state. Refs, commits, trees and archives are not part of it, because Git's own protocol gives them for every provider.
 */
export interface Provider {
  /** Returns the account of the credential. */
  whoAmI(access: ProviderAccess): Promise<Account>;
  /** Returns one page of the repositories that the credential may read, most recently used first. */
  repositories(access: ProviderAccess, query: RepositoryQuery): Promise<RepositoryPage>;
  /** Finds a repository by the provider's own id or by its identifier. Returns undefined if there is none. */
  repository(access: ProviderAccess, of: RepositoryKey): Promise<ProviderRepository | undefined>;
  /** Returns the user name and password for Git over HTTPS. */
  gitCredentials(credential: Credential): GitCredentials;
  /** Absent: the provider has no pull requests. */
  readonly pulls?: Pulls;
  /** Absent: the provider sends no events, so the server polls. */
  readonly hooks?: Hooks;
  /** Absent: the provider shows no results of runs. */
  readonly reports?: Reports;
  /** Absent: the provider has no OAuth sign-in. */
  readonly oauth?: OAuthFlow;
}

/** A connection as adapters need it. */
export interface ProviderAccess {
  /** Base URL of the API, such as `https://api.github.com`. */
  readonly apiUrl: string;
  /** Base URL for people, such as `https://github.com`. */
  readonly httpUrl: string;
  readonly credential: Credential;
  readonly http: ProviderHttp;
}

/** Secret by which the server authenticates at a provider. */
export interface Credential {
  /** `app`: token of an installation of a GitHub App. */
  readonly kind: 'token' | 'oauth' | 'app';
  readonly token: string;
}

export interface GitCredentials {
  readonly username: string;
  readonly password: string;
}

/** One request to the API of a provider. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Absolute URL, on an origin of the connection. */
  readonly url: string;
  /** Header that authenticates, such as `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded` instead of `body`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Value of `If-None-Match`. A response 304 has no `json`. */
  readonly etag?: string | undefined;
}

export interface ProviderResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed body; undefined for an empty one. */
  readonly json: unknown;
}

/** HTTP client for one connection: limits, redirects, rate limits and errors are its task. */
export interface ProviderHttp {
  /**
   * Sends a request.
   * @returns responses of the statuses 200 to 299, 304 and 404
   * @throws ProviderError for all others, and without a response
   */
  send(request: ProviderRequest): Promise<ProviderResponse>;
}

/** Account at a provider. */
export interface Account {
  readonly name: string;
  /** Scopes that the provider reports; empty if it reports none. */
  readonly scopes: readonly string[];
}

export interface RepositoryQuery {
  /** Part of the name; empty: all. */
  readonly search: string;
  /** Organization, workspace or project of the repositories, for providers that have them. */
  readonly organization?: string | undefined;
  /** From 1. */
  readonly page: number;
}

export interface RepositoryPage {
  readonly items: readonly ProviderRepository[];
  readonly nextPage: number | null;
}

/**
 * A repository to look for: by the provider's own id, or by its name. With an id, `identifier` is its last known name,
 * which saves requests where the provider cannot look up ids.
 */
export type RepositoryKey = RepositoryRef | { readonly identifier: string };

/** A repository as the provider describes it. */
export interface ProviderRepository {
  /** The provider's own id, which survives a new name. */
  readonly providerId: string;
  /** Name in the API, such as `owner/repository`. */
  readonly identifier: string;
  readonly displayIdentifier: string;
  /** URL of the page for people. */
  readonly httpUrl: string;
  /** URL for Git over HTTPS, without credentials. */
  readonly gitUrl: string;
  /** Absent in an empty repository. */
  readonly defaultBranch: string | null;
  readonly isPrivate: boolean;
}

/** Pull requests, or merge requests. */
export interface Pulls {
  /** Returns the open ones, most recently changed first, 300 at most; undefined if the list is that of the ETag. */
  open(access: ProviderAccess, repository: RepositoryRef, etag: string | undefined): Promise<OpenPulls | undefined>;
  /** Returns the ref of the merge into the target branch. Absent: the provider makes no such commit. */
  mergeRef?(number: number): string;
  /** Returns undefined if there is none. */
  one(access: ProviderAccess, repository: RepositoryRef, number: number): Promise<Pull | undefined>;
}

/** The part of a stored repository that adapters need. */
export interface RepositoryRef {
  readonly providerId: string;
  readonly identifier: string;
}

export interface OpenPulls {
  readonly items: readonly Pull[];
  readonly etag: string | null;
}

/** A pull request, as the provider describes it. */
export interface Pull {
  readonly number: number;
  readonly state: 'open' | 'closed' | 'merged';
  readonly isDraft: boolean;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  /** Branch of the change, and its newest commit. */
  readonly headRef: string;
  readonly headId: string;
  /** Target branch, without `refs/heads/`. */
  readonly baseRef: string;
  /** Provider's id of the repository of the change; null if that was deleted. It is a fork if it is another repository. */
  readonly headRepositoryId: string | null;
  readonly baseRepositoryId: string;
  /** Commit from which both branches come, if the provider says so. */
  readonly mergeBaseId: string | null;
  readonly author: Sender;
}

/** Person who caused an event. */
export interface Sender {
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly url: string | null;
}

/** Webhooks. */
export interface Hooks {
  /** Creates or updates the hook of a repository. Returns the provider's id of it. */
  ensure(access: ProviderAccess, repository: RepositoryRef, hook: WantedHook): Promise<string>;
  /** Deletes the hook. One that is gone is no error. */
  remove(access: ProviderAccess, repository: RepositoryRef, hookId: string): Promise<void>;
  /** Returns whether a delivery was made with the secret, in constant time. */
  prove(delivery: RawDelivery, secret: string): boolean;
  /** Returns the id of a delivery, which is the same when the provider sends it again. */
  deliveryId(delivery: RawDelivery): string;
  /**
   * Reads a proven delivery. An unknown kind of event gives none.
   * @throws ProviderError `invalid` if the body is not JSON or lacks fields
   */
  parse(delivery: RawDelivery): readonly Hint[];
}

export interface WantedHook {
  readonly url: string;
  readonly secret: string;
  /** Provider's id of the hook that the server made earlier. */
  readonly hookId: string | null;
}

/** A delivery of a webhook before anybody has checked it. */
export interface RawDelivery {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Event that a provider reports. It is only a hint: the server asks the provider for refs and pull requests before it
 * acts. Hints add what Git does not know, such as the sender.
 */
export type Hint =
  | {
      readonly kind: 'push';
      /** Provider's id of the repository. */
      readonly repositoryId: string;
      /** Full name, such as `refs/heads/main` or `refs/tags/v1`. */
      readonly ref: string;
      /** Commit, or tag object, before and after; null for a new or deleted ref. */
      readonly before: string | null;
      readonly after: string | null;
      readonly sender: Sender;
      readonly compareUrl: string | null;
    }
  | { readonly kind: 'pull'; readonly repositoryId: string; readonly number: number; readonly sender: Sender }
  /** The repository was renamed, moved, deleted, or its access changed. */
  | { readonly kind: 'repository'; readonly repositoryId: string }
  /** The installation of an App, or the list of its repositories, has changed. The id is the provider's. */
  | { readonly kind: 'installation'; readonly installationId: number };

/** Results of runs at the provider. */
export interface Reports {
  /** Most characters of a comment, and of the description of a status. */
  readonly limits: { readonly comment: number; readonly description: number };
  /** Whether comments are Markdown without HTML, so that no part of them can be collapsed. Default: false. */
  readonly hasPlainMarkdown?: boolean;
  /** Sets the status of a commit in a context. */
  status(access: ProviderAccess, repository: RepositoryRef, status: CommitStatus): Promise<void>;
  /** Creates or updates a check run, which shows a text. Returns its id. Absent: the provider has none. */
  check?(access: ProviderAccess, repository: RepositoryRef, check: CommitCheck): Promise<string>;
  /** Creates or updates the comment of a pull request. Returns its id. */
  comment(access: ProviderAccess, repository: RepositoryRef, comment: PullComment): Promise<string>;
  /**
   * Returns the id of the first comment of a pull request that begins with a text, among some hundred. Called only if it
   * is unknown whether a comment was created. Absent: another comment is created then.
   */
  findComment?(
    access: ProviderAccess,
    repository: RepositoryRef,
    number: number,
    beginning: string,
  ): Promise<string | null>;
}

export type ReportState = 'pending' | 'running' | 'success' | 'failure' | 'error' | 'canceled';

export interface CommitStatus {
  readonly commitId: string;
  /** Branch or tag of the commit, which GitLab needs; null if unknown. */
  readonly ref: string | null;
  /** Such as `lockkeeper/acme`. */
  readonly context: string;
  readonly state: ReportState;
  readonly description: string;
  readonly url: string;
  /** Number of the pull request of which the commit is the head. Azure DevOps requires statuses of pull requests. */
  readonly pullNumber?: number | null;
}

export interface CommitCheck extends CommitStatus {
  /** Id of the check run to update; null: a new one. */
  readonly checkId: string | null;
  /** Markdown. */
  readonly summary: string;
}

export interface PullComment {
  readonly number: number;
  /** Id of the comment to update; null: a new one. */
  readonly commentId: string | null;
  /** Markdown. */
  readonly text: string;
}

/** OAuth 2 sign-in of a person at the provider. */
export interface OAuthFlow {
  /** Whether the provider supports PKCE (RFC 7636). */
  readonly hasPkce: boolean;
  authorizeUrl(app: OAuthApp, request: { state: string; redirectUri: string; challenge: string | null }): string;
  /** @throws ProviderError `refused` if the provider does not accept the code */
  exchange(
    app: OAuthApp,
    grant: { code: string; redirectUri: string; verifier: string | null },
    http: ProviderHttp,
  ): Promise<OAuthGrant>;
  /** @throws ProviderError `refused` if the refresh token is not valid any more */
  refresh(app: OAuthApp, refreshToken: string, http: ProviderHttp): Promise<OAuthGrant>;
}

export interface OAuthApp {
  readonly httpUrl: string;
  readonly apiUrl: string;
  readonly key: string;
  readonly secret: string;
  /** Tenant of Microsoft Entra, for Azure DevOps; null: that of the person who signs in. */
  readonly tenant?: string | null;
}

export interface OAuthGrant {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Lifetime of the access token, seconds; null: it does not end. */
  readonly expiresIn: number | null;
}
