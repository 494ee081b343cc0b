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

/** Outputs alone do not show the workspace around them. */
const anything: Test = (access) =>
  access.admin || access.locking || runs('read')(access) || variables('read')(access) || states('read')(access);

/** The 21 keys of spec §2.4, each with what it takes: the one table of who may do what with a workspace. */
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
  // Whoever sets a workspace up without carrying anything out tags it, too.
  'can-manage-tags': (access) => access.admin || runs('apply')(access),
  'can-update': admin,
  'can-destroy': (access) => access.delete,
  'can-force-unlock': admin,
  'can-manage-run-tasks': (access) => access['run-tasks'],
  'can-manage-assessments': admin,
  'can-manage-ephemeral-workspaces': admin,
  'can-force-delete': (access) => access.owner,
} as const satisfies Record<string, Test>;

/** One of the 21 keys. */
export type WorkspacePermission = keyof typeof TABLE;
/** Each key, granted or not. */
export type WorkspacePermissions = Readonly<Record<WorkspacePermission, boolean>>;

const ENTRIES = Object.entries(TABLE) as [WorkspacePermission, Test][];

/** What a grant for the whole organization gives on every workspace in it. */
export function organizationWideAccess({ owner, access, setsUpOnly }: Grant): WorkspaceAccess {
  if (setsUpOnly) return SETS_UP;
  if (owner) return WORKSPACE_LEVELS.owner;
  const given = [
    ...(access['manage-workspaces'] || access['manage-projects'] ? [WORKSPACE_LEVELS.admin] : []),
    ...(access['read-workspaces'] ? [WORKSPACE_LEVELS.read] : []),
    ...(access['manage-run-tasks'] ? [{ ...NO_WORKSPACE_ACCESS, 'run-tasks': true }] : []),
    // Those who decide about runs can see them.
    ...(READING_FLAGS.some((flag) => access[flag]) ? [{ ...NO_WORKSPACE_ACCESS, runs: 'read' } as const] : []),
  ];
  return given.reduce(unite, NO_WORKSPACE_ACCESS);
}

/** No runs, and no states of its own. */
const SETS_UP: WorkspaceAccess = { ...WORKSPACE_LEVELS.admin, runs: 'read', 'state-versions': 'read' };

const READING_FLAGS = ['manage-policies', 'manage-policy-overrides', 'manage-agent-pools'] as const;

/** Whether such access shows the workspace at all. */
export const showsWorkspace = (access: WorkspaceAccess): boolean => anything(access);

/** Where a workspace or its organization has a say in what somebody may do. */
export interface WorkspacePolicy {
  readonly allowsDestroyPlan: boolean;
  readonly allowsForceDelete: boolean;
}

/** All keys, always: an official client takes a missing one for an older server. */
export function workspacePermissions(access: WorkspaceAccess, policy: WorkspacePolicy): WorkspacePermissions {
  const entries = ENTRIES.map(([key, test]) => [key, test(access)] as const);
  const permissions = Object.fromEntries(entries) as Record<WorkspacePermission, boolean>;
  permissions['can-queue-destroy'] &&= policy.allowsDestroyPlan;
  permissions['can-force-delete'] ||= access.admin && policy.allowsForceDelete;
  return permissions;
}
