import type { Config } from '../../config/index.ts';
import type { KeyPlace } from '../../jwt/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Asked } from '../../oidc/check/check.ts';
import type { BlobStore, Database } from '../../storage/index.ts';

/** The databases; on PostgreSQL both are one. */
export interface Stores {
  readonly access: Database;
  readonly workspaces: Database;
}

/** Where the schema stands, over all sets of tables. */
export interface SchemaState {
  /** Whether there are tables at all. */
  readonly isFounded: boolean;
  readonly pending: readonly string[];
  /** What a newer version has applied, and this one can work with. */
  readonly ahead: readonly string[];
}

/** A revocation list, as it is stored. Times are milliseconds since 1970. */
export interface ListFacts {
  readonly mount: string;
  readonly name: string;
  /** Null for one that was uploaded. */
  readonly url: string | null;
  readonly fetchedAt: number;
  /** Undefined where the list does not say when the next one comes. */
  readonly nextUpdate: number | undefined;
  readonly failures: number;
  readonly lastError: string | null;
  /** Whether logins are refused while it is overdue. */
  readonly refusesStale: boolean;
}

/** A responder that roles name themselves. */
export interface ResponderFacts {
  readonly mount: string;
  readonly role: string;
  readonly url: string;
}

/** What waits for agents. */
export interface WorkFacts {
  /** Agents that were heard of lately, and those of them that do nothing. */
  readonly agents: number;
  readonly idle: number;
  readonly waiting: number;
  /** Since when the first of them waits, milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** Those of them for which no agent is there. */
  readonly unattended: number;
}

/** What is known of backups. Times are milliseconds since 1970. */
export interface BackupFacts {
  /** When the last one that was whole was ready; undefined without one. */
  readonly wholeAt: number | undefined;
  readonly failedAt: number | undefined;
}

/** Somebody whose keys are fetched: `sign_in.oidc`, a provider of an organization, a mount of the access API. */
export interface IssuerFacts {
  readonly name: string;
  readonly place: KeyPlace;
  /** By whose rules it may be reached. */
  readonly reach: 'sign-in' | 'tenants' | 'revocation';
  /** What sign-ins ask of it, where the configuration says so. */
  readonly asks?: Asked;
}

/** What a listener of the server that runs has answered. */
export interface SeenListener {
  readonly address: string;
  readonly ready: boolean;
  readonly failing: readonly string[];
  /** Milliseconds since 1970: its `Date`, and when it was read. */
  readonly date: number | undefined;
  readonly at: number;
}

/**
 * What checks look at: an installation from the outside, or from within the server. What takes work is asked for, and found out
 * once for all who ask.
 */
export interface Site {
  readonly config: Config;
  /** Undefined within a server, which has read it long ago. */
  readonly configFile: string | undefined;
  readonly clock: Clock;
  /** How many nodes share the database; undefined: as many as it shows. */
  readonly nodes: number | undefined;
  /** Whether checks may take as long as they need. */
  readonly isThorough: boolean;
  /** @throws NotAvailable where there are none, or (its `cause` says why) they cannot be opened */
  stores(): Promise<Stores>;
  /** @throws StorageError where this version cannot work with the databases */
  schema(): Promise<SchemaState>;
  /** @throws StorageError where it cannot be used */
  blobs(): Promise<BlobStore>;
  /** Those that answered. */
  listeners(): Promise<readonly SeenListener[]>;
  lists(): Promise<readonly ListFacts[]>;
  responders(): Promise<readonly ResponderFacts[]>;
  work(): Promise<WorkFacts>;
  backups(): Promise<BackupFacts>;
  issuers(): Promise<readonly IssuerFacts[]>;
}
