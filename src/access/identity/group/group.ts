import type { AliasMount } from '../alias/alias.ts';
import type { Metadata } from '../common/metadata.ts';

/** `internal`: members are set by writes. `external`: members come from logins, through an alias. */
export const GROUP_TYPES = ['internal', 'external'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export const isGroupType = (text: string): text is GroupType => (GROUP_TYPES as readonly string[]).includes(text);

/** A set of entities and groups. Times are milliseconds since 1970. */
export interface Group {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly type: GroupType;
  readonly metadata: Metadata;
  /** Policies that every member has in addition, members of nested groups included. */
  readonly policies: readonly string[];
  /** Number of direct member entities. */
  readonly entities: number;
  /** Number of writes. */
  readonly modifyIndex: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Name of an external group at one mount. */
export interface GroupAlias {
  readonly id: string;
  readonly groupId: string;
  readonly mountId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface MountedGroupAlias extends GroupAlias, AliasMount {}

/** A group in a list. */
export interface ListedGroup extends Group {
  readonly parents: number;
  readonly alias: MountedGroupAlias | undefined;
}

/** A group with its members. */
export interface GroupDetails extends Group {
  readonly alias: MountedGroupAlias | undefined;
  readonly memberEntityIds: readonly string[];
  readonly memberGroupIds: readonly string[];
  /** Groups with this group as a direct member. */
  readonly parentGroupIds: readonly string[];
}
