import type { Config } from '../../config/index.ts';
import type { KeyPlace } from '../../jwt/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MailSettings } from '../../mail/index.ts';
import type { Asked } from '../../oidc/check/check.ts';
import type { BlobStore, Database } from '../../storage/index.ts';

/** The databases of the two APIs; on PostgreSQL both are the same. */
export interface Stores {
  readonly access: Database;
  readonly workspaces: Database;
}

/** State of the schema over all sets of migrations. */
export interface SchemaState {
  /** Whether there are tables at all. */
  readonly isFounded: boolean;
  readonly pending: readonly string[];
  /** Migrations of a newer version that this version can work with. */
  readonly ahead: readonly string[];
}

/** A stored CRL. Times are milliseconds since 1970. */
export interface ListFacts {
  readonly mount: string;
  readonly name: string;
  /** URL of the distribution point; null for an uploaded CRL. */
  readonly url: string | null;
  readonly fetchedAt: number;
  /** Next update of the CRL. Undefined if it has none. */
  readonly nextUpdate: number | undefined;
  readonly failures: number;
  readonly lastError: string | null;
  /** Whether logins are refused while the CRL is overdue. */
  readonly refusesStale: boolean;
}

/** An OCSP responder that roles configure. */
export interface ResponderFacts {
  readonly mount: string;
  readonly role: string;
  readonly url: string;
}

/** Runs that wait for agents. */
export interface WorkFacts {
  /** Agents that were active recently, and the idle ones among them. */
  readonly agents: number;
  readonly idle: number;
  readonly waiting: number;
  /** Start of the longest wait, milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** Number of waiting runs for which there is no agent. */
  readonly unattended: number;
}

/** Connections or repositories that workspaces use. */
export interface UsedFacts {
  readonly total: number;
  readonly failing: number;
  /** Names of some that fail, with their organization and their state. */
  readonly names: readonly string[];
}

/** A background task of the running server. */
export interface TaskFacts {
  readonly name: string;
  /** Last run, or what is wrong. May be published. */
  readonly found: string;
  readonly isBad: boolean;
}

/** State of the backups. Times are milliseconds since 1970. */
export interface BackupFacts {
  /** Time of the last complete backup; undefined if there is none. */
  readonly wholeAt: number | undefined;
  readonly failedAt: number | undefined;
}

/**
 * An issuer whose keys the server fetches: `sign_in.oidc`, an organization's identity provider, or a mount of the
 * access API.
 */
export interface IssuerFacts {
  readonly name: string;
  readonly place: KeyPlace;
  /** The address rules that apply to it. */
  readonly reach: 'sign-in' | 'tenants' | 'revocation';
  /** Settings of sign-ins at the provider, if the configuration has them. */
  readonly asks?: Asked;
}

/** Response of a listener of the running server. */
export interface SeenListener {
  readonly address: string;
  readonly ready: boolean;
  readonly failing: readonly string[];
  /** The header `Date` in milliseconds since 1970, and the time of the response. */
  readonly date: number | undefined;
  readonly at: number;
}

/**
 * Subject of the checks: a server seen from the outside, or from within its process. Expensive values are computed on
 * request, and once for all checks.
 */
export interface Site {
  readonly config: Config;
  /** Configuration file. Undefined inside the server, which has read it already. */
  readonly configFile: string | undefined;
  readonly clock: Clock;
  /** Number of nodes on the database; undefined to count those that it shows. */
  readonly nodes: number | undefined;
  /** Whether checks may take as long as they need. */
  readonly isThorough: boolean;
  /** @throws NotAvailable if there are no databases, or (`cause` has the reason) they cannot be opened */
  stores(): Promise<Stores>;
  /** @throws StorageError if this version cannot work with the databases */
  schema(): Promise<SchemaState>;
  /** @throws StorageError if the store cannot be used */
  blobs(): Promise<BlobStore>;
  /** Returns the listeners that responded. */
  listeners(): Promise<readonly SeenListener[]>;
  lists(): Promise<readonly ListFacts[]>;
  responders(): Promise<readonly ResponderFacts[]>;
  work(): Promise<WorkFacts>;
  vcs(): Promise<{ readonly connections: UsedFacts; readonly repositories: UsedFacts }>;
  backups(): Promise<BackupFacts>;
  /** Undefined if no server answers. */
  tasks(): Promise<readonly TaskFacts[] | undefined>;
  issuers(): Promise<readonly IssuerFacts[]>;
  /** SMTP server; undefined if none is configured. */
  mail(): Promise<MailSettings | undefined>;
}
