import type { MountedAlias } from '../alias/alias.ts';
import type { Metadata } from '../common/metadata.ts';

/** One client (machine or person) across all mounts. Times are milliseconds since 1970. */
export interface Entity {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  /** Policies of the entity itself. Its tokens have them in addition, with those of its groups. */
  readonly policies: readonly string[];
  /** Whether logins are refused. */
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EntityWithAliases extends Entity {
  readonly aliases: readonly MountedAlias[];
}

/** An entity with its groups and merged entities. */
export interface EntityDetails extends EntityWithAliases {
  readonly mergedEntityIds: readonly string[];
  readonly directGroupIds: readonly string[];
  /** Groups that the direct groups are members of. */
  readonly inheritedGroupIds: readonly string[];
}
