import type { Identifier } from '../../jsonapi/document.ts';

/** Where a version stands (facts §4.4). Only a finalized one has a state that can be read. */
export const STATUSES = [
  'pending',
  'finalized',
  'discarded',
  'backing_data_soft_deleted',
  'backing_data_permanently_deleted',
] as const;
export type StateStatus = (typeof STATUSES)[number];

/** Who made a version: a user, a team or an agent, and the certificate of the machine that acted for the team. */
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
  /** Counts the versions of the workspace. */
  readonly position: number;
  readonly status: StateStatus;
  /** Becomes current when the workspace is unlocked, and not before. */
  readonly intermediate: boolean;
  /** As the client says it; that in the file may differ. */
  readonly serial: number;
  readonly lineage: string | null;
  /** Of the state's bytes, in lower-case hexadecimal digits. */
  readonly md5: string;
  /** The rules about serial and lineage are not asked. */
  readonly forced: boolean;
  readonly size: number;
  readonly creator: Creator;
  readonly runId: string | null;
  readonly rollbackOf: string | null;
  readonly stateBlob: string | null;
  readonly jsonBlob: string | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  /** Of its content; 0 while there is none, or it cannot be read. */
  readonly outputCount: number;
  readonly resourceCount: number;
  /** Format of the state file; null where it is no state, or encrypted. Only format 4 is read (reader/readable.ts). */
  readonly format: number | null;
  readonly encrypted: boolean;
  readonly engineVersion: string | null;
}

/** What makes a state the successor of another. */
export interface Lineage {
  readonly serial: number;
  readonly lineage: string | null;
  readonly md5: string;
}
