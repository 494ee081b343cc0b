import type { Identifier } from '../../jsonapi/document.ts';
import type { IngressAttributes } from '../../vcs/index.ts';

/** State of the archive after retention policies and operators: kept, soft-deleted or deleted. */
export type Backing = 'kept' | 'soft_deleted' | 'deleted';

/** An uploaded configuration. Times are milliseconds since 1970. */
export interface ConfigurationVersion {
  readonly id: string;
  readonly workspaceId: string;
  readonly source: string;
  readonly status: 'pending' | 'fetching' | 'uploaded' | 'archived' | 'errored';
  readonly autoQueueRuns: boolean;
  /** Whether the version is for plan-only runs. */
  readonly speculative: boolean;
  /** Whether the version is provisional: it becomes the workspace's current version when a run of it is applied. */
  readonly provisional: boolean;
  /** Whether strangers wrote the configuration: a fork. No run of it gets secrets, whoever starts it. */
  readonly untrusted: boolean;
  readonly error: string | null;
  readonly errorMessage: string | null;
  readonly timestamps: Readonly<Record<string, number>>;
  /** Name of the archive's blob. */
  readonly blobName: string | null;
  readonly size: number;
  readonly backing: Backing;
  /** Id of its origin (ingress.ts); null unless the version came from a repository. */
  readonly ingressId: string | null;
  readonly createdBy: Identifier;
  readonly createdAt: number;
}

/** Origin of a configuration version that came from a repository. */
export interface Ingress extends IngressAttributes {
  readonly id: string;
  readonly configurationVersionId: string;
}
