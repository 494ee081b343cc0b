import type { MountedAlias } from '../alias/alias.ts';
import type { Metadata } from '../common/metadata.ts';

/** Somebody or something that logs in, however often and by whatever mount. Times in milliseconds. */
export interface Entity {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  /** Of its own: its tokens have them, and those of its groups, besides what they were given. */
  readonly policies: readonly string[];
  /** Cannot log in. */
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EntityWithAliases extends Entity {
  readonly aliases: readonly MountedAlias[];
}

/** All that is told of an entity. */
export interface EntityDetails extends EntityWithAliases {
  readonly mergedEntityIds: readonly string[];
  readonly directGroupIds: readonly string[];
  /** Of the groups that those are in. */
  readonly inheritedGroupIds: readonly string[];
}
