import type { Identifier } from '../../jsonapi/document.ts';

/** What is left of the archive, once a retention policy or an operator has been at it. */
export type Backing = 'kept' | 'soft_deleted' | 'deleted';

/** A configuration that somebody uploads (facts §6.10). Times are milliseconds since 1970. */
export interface ConfigurationVersion {
  readonly id: string;
  readonly workspaceId: string;
  readonly source: string;
  readonly status: 'pending' | 'fetching' | 'uploaded' | 'archived' | 'errored';
  readonly autoQueueRuns: boolean;
  /** For plans alone. */
  readonly speculative: boolean;
  /** It becomes the workspace's own when a run of it is applied. */
  readonly provisional: boolean;
  readonly error: string | null;
  readonly errorMessage: string | null;
  readonly timestamps: Readonly<Record<string, number>>;
  /** The archive. */
  readonly blobName: string | null;
  readonly size: number;
  readonly backing: Backing;
  readonly createdBy: Identifier;
  readonly createdAt: number;
}
