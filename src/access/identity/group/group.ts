import type { AliasMount } from '../alias/alias.ts';
import type { Metadata } from '../common/metadata.ts';

/** Those of an internal group are named; an external one has the members that a method says, under an alias. */
export const GROUP_TYPES = ['internal', 'external'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export const isGroupType = (text: string): text is GroupType => (GROUP_TYPES as readonly string[]).includes(text);

/** Entities that belong together, and groups of such. Times in milliseconds. */
export interface Group {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly type: GroupType;
  readonly metadata: Metadata;
  /** What every member has, besides its own: those of groups within it too. */
  readonly policies: readonly string[];
  /** How many entities it has itself. */
  readonly entities: number;
  /** How often it was written. */
  readonly modifyIndex: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What an external group is called at a mount. */
export interface GroupAlias {
  readonly id: string;
  readonly groupId: string;
  readonly mountId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface MountedGroupAlias extends GroupAlias, AliasMount {}

/** What a list tells of a group. */
export interface ListedGroup extends Group {
  readonly parents: number;
  readonly alias: MountedGroupAlias | undefined;
}

/** All that is told of a group. */
export interface GroupDetails extends Group {
  readonly alias: MountedGroupAlias | undefined;
  readonly memberEntityIds: readonly string[];
  readonly memberGroupIds: readonly string[];
  /** Of the groups that it is a member of. */
  readonly parentGroupIds: readonly string[];
}
