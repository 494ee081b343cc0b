import type { Identifier } from '../../jsonapi/document.ts';

/** Status of a version. Only a finalized version has a readable state. */
export const STATUSES = [
  'pending',
  'finalized',
  'discarded',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
] as const;
export type StateStatus = (typeof STATUSES)[number];

/** Creator of a version: a user, a team or an agent, and the certificate of the machine that acted for the team. */
export interface Creator extends Identifier {
  readonly certificate?: {
    readonly mount: string;
    readonly role: string;
    readonly subject: string;
    readonly serialNumber: string;
  };
}

/** One version of a workspace's state. Times are milliseconds since 1970. */
export interface StateVersion {
  readonly id: string;
  readonly workspaceId: string;
  /** Number of the version in its workspace. */
  readonly position: number;
  readonly status: StateStatus;
  /** Whether it only becomes current when the workspace is unlocked (a snapshot during an apply). */
  readonly intermediate: boolean;
  /** Serial from the client; the file may contain another one. */
  readonly serial: number;
  readonly lineage: string | null;
  /** MD5 of the state's bytes, in lower-case hexadecimal digits. */
  readonly md5: string;
  /** Whether the checks of serial and lineage are skipped. */
  readonly forced: boolean;
  readonly size: number;
  readonly creator: Creator;
  readonly runId: string | null;
  readonly rollbackOf: string | null;
  readonly stateBlob: string | null;
  readonly jsonBlob: string | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  /** Number of resources in its content; 0 while there is no content, or if it cannot be parsed. */
  readonly outputCount: number;
  readonly resourceCount: number;
  /**
   * Format of the state file; null if the file is not a state, or is encrypted. Only format 4 is parsed
   * (reader/readable.ts).
   */
  readonly format: number | null;
  readonly encrypted: boolean;
  readonly engineVersion: string | null;
}

/** Properties that decide whether a state may follow another. */
export interface Lineage {
  readonly serial: number;
  readonly lineage: string | null;
  readonly md5: string;
}
