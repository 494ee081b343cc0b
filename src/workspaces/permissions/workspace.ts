import type { Grant } from './grants.ts';

/** How much somebody may do with a workspace, from least to most. */
const LEVELS = ['read', 'plan', 'write', 'admin', 'owner'] as const;
/** One of LEVELS. */
export type Level = (typeof LEVELS)[number];

/** The 21 keys of spec §2.4, each with the level it begins at. */
const BEGINS_AT = {
  'can-read-settings': 'read',
  'can-read-run': 'read',
  'can-read-variable': 'read',
  'can-read-state-versions': 'read',
  'can-read-state-outputs': 'read',
  'can-read-assessment-results': 'read',
  'can-queue-run': 'plan',
  'can-lock': 'write',
  'can-unlock': 'write',
  'can-queue-apply': 'write',
  'can-queue-destroy': 'write',
  'can-update-variable': 'write',
  'can-create-state-versions': 'write',
  'can-manage-tags': 'write',
  'can-update': 'admin',
  'can-destroy': 'admin',
  'can-force-unlock': 'admin',
  'can-manage-run-tasks': 'admin',
  'can-manage-assessments': 'admin',
  'can-manage-ephemeral-workspaces': 'admin',
  'can-force-delete': 'owner',
} as const satisfies Record<string, Level>;

/** One of the 21 keys. */
export type WorkspacePermission = keyof typeof BEGINS_AT;
/** Each key, granted or not. */
export type WorkspacePermissions = Readonly<Record<WorkspacePermission, boolean>>;

const KEYS = Object.keys(BEGINS_AT) as WorkspacePermission[];

/** The keys of each level, worked out once. */
const TABLE = Object.fromEntries(
  LEVELS.map((level) => [level, KEYS.map((key) => [key, LEVELS.indexOf(level) >= LEVELS.indexOf(BEGINS_AT[key])])]),
) as Record<Level, [WorkspacePermission, boolean][]>;

/** The level that an organization-wide grant gives on every workspace; undefined when it shows none. */
export function workspaceLevel({ owner, access }: Grant): Level | undefined {
  if (owner) return 'owner';
  if (access['manage-workspaces'] || access['manage-projects']) return 'admin';
  return access['read-workspaces'] ? 'read' : undefined;
}

/** Where a workspace or its organization has a say in what a level may do. */
export interface WorkspacePolicy {
  readonly allowsDestroyPlan: boolean;
  readonly allowsForceDelete: boolean;
}

/** All keys, always: an official client takes a missing one for an older server. */
export function workspacePermissions(level: Level, policy: WorkspacePolicy): WorkspacePermissions {
  const permissions = Object.fromEntries(TABLE[level]) as Record<WorkspacePermission, boolean>;
  permissions['can-queue-destroy'] &&= policy.allowsDestroyPlan;
  permissions['can-force-delete'] ||= permissions['can-destroy'] && policy.allowsForceDelete;
  return permissions;
}
