/** ok: the last look-up succeeded. gone: the provider has no such repository. forbidden: the connection may not read it. */
export type Health = 'ok' | 'gone' | 'forbidden' | 'unreachable';

/** A repository that workspaces follow by one connection. Times are milliseconds since 1970. */
export interface Repository {
  readonly id: string;
  readonly organizationId: string;
  /** Id of a token of a connection, or of an installation of a GitHub App. */
  readonly connectionId: string;
  /** The provider's own id, which survives a new name. */
  readonly providerId: string;
  readonly identifier: string;
  readonly displayIdentifier: string;
  readonly httpUrl: string;
  readonly gitUrl: string;
  readonly defaultBranch: string | null;
  readonly isPrivate: number;
  readonly health: Health;
  readonly healthReason: string | null;
  readonly healthSince: number;
  /** Time of the last look-up; null before the first one. */
  readonly lookedAt: number | null;
  /** Time at which the provider last described the repository. */
  readonly describedAt: number;
  readonly pullsEtag: string | null;
  /** Number of requests for a look-up. */
  readonly wakes: number;
  readonly createdAt: number;
}

/** Health after a look-up. */
export interface HealthReport {
  readonly health: Health;
  readonly reason: string | null;
}
