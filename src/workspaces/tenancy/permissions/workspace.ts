import {
  NO_WORKSPACE_ACCESS,
  RUNS,
  reaches,
  STATE_VERSIONS,
  unite,
  VARIABLES,
  WORKSPACE_LEVELS,
  type WorkspaceAccess,
} from './access.ts';
import type { Grant } from './grants.ts';

type Test = (access: WorkspaceAccess) => boolean;

const runs =
  (wanted: WorkspaceAccess['runs']): Test =>
  (access) =>
    reaches(RUNS, access.runs, wanted);
const variables =
  (wanted: WorkspaceAccess['variables']): Test =>
  (access) =>
    reaches(VARIABLES, access.variables, wanted);
const states =
  (wanted: WorkspaceAccess['state-versions']): Test =>
  (access) =>
    reaches(STATE_VERSIONS, access['state-versions'], wanted);
const admin: Test = (access) => access.admin;
const locking: Test = (access) => access.locking;

/** Access to outputs only does not show the workspace. */
const anything: Test = (access) =>
  access.admin || access.locking || runs('read')(access) || variables('read')(access) || states('read')(access);

/** Conditions for the 21 permission keys of spec §2.4. No other place decides about them. */
const TABLE = {
  'can-read-settings': anything,
  'can-read-run': runs('read'),
  'can-read-variable': variables('read'),
  'can-read-state-versions': states('read'),
  'can-read-state-outputs': states('read-outputs'),
  'can-read-assessment-results': runs('read'),
  'can-queue-run': runs('plan'),
  'can-lock': locking,
  'can-unlock': locking,
  'can-queue-apply': runs('apply'),
  'can-queue-destroy': runs('apply'),
  'can-update-variable': variables('write'),
  'can-create-state-versions': states('write'),
  // The condition includes actors that manage a workspace without starting runs.
  'can-manage-tags': (access) => access.admin || runs('apply')(access),
  'can-update': admin,
  'can-destroy': (access) => access.delete,
  'can-force-unlock': admin,
  'can-manage-run-tasks': (access) => access['run-tasks'],
  'can-manage-assessments': admin,
  'can-manage-ephemeral-workspaces': admin,
  'can-force-delete': (access) => access.owner,
} as const satisfies Record<string, Test>;

export type WorkspacePermission = keyof typeof TABLE;
export type WorkspacePermissions = Readonly<Record<WorkspacePermission, boolean>>;

const ENTRIES = Object.entries(TABLE) as [WorkspacePermission, Test][];
export const WORKSPACE_PERMISSIONS = Object.keys(TABLE) as WorkspacePermission[];

/** Returns the access to every workspace that a grant for the whole organization gives. */
export function organizationWideAccess({ owner, access, setsUpOnly }: Grant): WorkspaceAccess {
  if (setsUpOnly) return SETS_UP;
  if (owner) return WORKSPACE_LEVELS.owner;
  const given = [
    ...(access['manage-workspaces'] || access['manage-projects'] ? [WORKSPACE_LEVELS.admin] : []),
    ...(access['read-workspaces'] ? [WORKSPACE_LEVELS.read] : []),
    ...(access['manage-run-tasks'] ? [{ ...NO_WORKSPACE_ACCESS, 'run-tasks': true }] : []),
    // Teams that manage policies or agent pools can see runs.
    ...(READING_FLAGS.some((flag) => access[flag]) ? [{ ...NO_WORKSPACE_ACCESS, runs: 'read' } as const] : []),
  ];
  return given.reduce(unite, NO_WORKSPACE_ACCESS);
}

/** Access without runs and without the workspace's own states. */
const SETS_UP: WorkspaceAccess = { ...WORKSPACE_LEVELS.admin, runs: 'read', 'state-versions': 'read' };

const READING_FLAGS = ['manage-policies', 'manage-policy-overrides', 'manage-agent-pools'] as const;

/** Returns whether this access makes the workspace visible. */
export const showsWorkspace = (access: WorkspaceAccess): boolean => anything(access);

/** Settings of a workspace and its organization that limit permissions. */
export interface WorkspacePolicy {
  readonly allowsDestroyPlan: boolean;
  readonly allowsForceDelete: boolean;
}

/** Always returns all keys: an official client treats a missing key as an older server. */
export function workspacePermissions(access: WorkspaceAccess, policy: WorkspacePolicy): WorkspacePermissions {
  const entries = ENTRIES.map(([key, test]) => [key, test(access)] as const);
  const permissions = Object.fromEntries(entries) as Record<WorkspacePermission, boolean>;
  permissions['can-queue-destroy'] &&= policy.allowsDestroyPlan;
  permissions['can-force-delete'] ||= access.admin && policy.allowsForceDelete;
  return permissions;
}
