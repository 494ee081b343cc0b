/** Steps of access to one kind of thing, from least to most. */
export const RUNS = ['none', 'read', 'plan', 'apply'] as const;
export const VARIABLES = ['none', 'read', 'write'] as const;
export const STATE_VERSIONS = ['none', 'read-outputs', 'read', 'write'] as const;
export const SENTINEL_MOCKS = ['none', 'read'] as const;

/** Access to a workspace. Grants only add up: no grant takes away access that another one gives. */
export interface WorkspaceAccess {
  readonly runs: (typeof RUNS)[number];
  readonly variables: (typeof VARIABLES)[number];
  readonly 'state-versions': (typeof STATE_VERSIONS)[number];
  readonly 'sentinel-mocks': (typeof SENTINEL_MOCKS)[number];
  readonly locking: boolean;
  readonly 'run-tasks': boolean;
  readonly 'policy-overrides': boolean;
  /** Permission to move the workspace to another project. */
  readonly move: boolean;
  readonly delete: boolean;
  /** Permission to change settings, to break locks of others and to manage team access. */
  readonly admin: boolean;
  /** Permission for actions that are reserved for owners of the organization. */
  readonly owner: boolean;
}

/** No access: the workspace does not exist for the caller. */
export const NO_WORKSPACE_ACCESS: WorkspaceAccess = {
  runs: 'none',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  locking: false,
  'run-tasks': false,
  'policy-overrides': false,
  move: false,
  delete: false,
  admin: false,
  owner: false,
};

const READ: WorkspaceAccess = { ...NO_WORKSPACE_ACCESS, runs: 'read', variables: 'read', 'state-versions': 'read' };
const WRITE: WorkspaceAccess = {
  ...READ,
  runs: 'apply',
  variables: 'write',
  'state-versions': 'write',
  'sentinel-mocks': 'read',
  locking: true,
};
const MAINTAIN: WorkspaceAccess = { ...WRITE, 'run-tasks': true, delete: true };
const ADMIN: WorkspaceAccess = { ...MAINTAIN, move: true, admin: true };

/** Access of each fixed level. The level `custom` stores its own details. */
export const WORKSPACE_LEVELS = {
  read: READ,
  plan: { ...READ, runs: 'plan' },
  write: WRITE,
  maintain: MAINTAIN,
  admin: ADMIN,
  owner: { ...ADMIN, owner: true },
} as const satisfies Record<string, WorkspaceAccess>;

/** Defaults of the level `custom` for a workspace. The level never gives administrator access. */
export const CUSTOM_ACCESS = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  locking: false,
  'run-tasks': false,
  'policy-overrides': false,
} as const satisfies Partial<WorkspaceAccess>;
/** Parts of workspace access that `custom` can set. */
export type CustomAccess = Pick<WorkspaceAccess, keyof typeof CUSTOM_ACCESS>;

/** Levels of a team's access to one workspace, as clients name them. */
export const TEAM_WORKSPACE_LEVELS = ['read', 'plan', 'write', 'admin', 'custom'] as const;
/** Levels of a team's access to a project. */
export const TEAM_PROJECT_LEVELS = ['read', 'write', 'maintain', 'admin', 'custom'] as const;

/** Returns the sum of two accesses. */
export function unite(one: WorkspaceAccess, other: WorkspaceAccess): WorkspaceAccess {
  return {
    runs: most(RUNS, one.runs, other.runs),
    variables: most(VARIABLES, one.variables, other.variables),
    'state-versions': most(STATE_VERSIONS, one['state-versions'], other['state-versions']),
    'sentinel-mocks': most(SENTINEL_MOCKS, one['sentinel-mocks'], other['sentinel-mocks']),
    locking: one.locking || other.locking,
    'run-tasks': one['run-tasks'] || other['run-tasks'],
    'policy-overrides': one['policy-overrides'] || other['policy-overrides'],
    move: one.move || other.move,
    delete: one.delete || other.delete,
    admin: one.admin || other.admin,
    owner: one.owner || other.owner,
  };
}

function most<Step extends string>(steps: readonly Step[], one: Step, other: Step): Step {
  return steps.indexOf(one) >= steps.indexOf(other) ? one : other;
}

/** Returns whether `step` is at least the required step. */
export function reaches<Step extends string>(steps: readonly Step[], step: Step, wanted: NoInfer<Step>): boolean {
  return steps.indexOf(step) >= steps.indexOf(wanted);
}

/** Stored grant: a level, and the details as JSON if the level is `custom` (only the fields that are set). */
export interface StoredAccess {
  readonly access: string;
  readonly custom: string;
}

/**
 * Returns the access that a stored grant gives.
 * @param custom details of the workspace part of the grant
 */
export function workspaceAccessOf({ access, custom }: StoredAccess): WorkspaceAccess {
  if (access in WORKSPACE_LEVELS) return WORKSPACE_LEVELS[access as keyof typeof WORKSPACE_LEVELS];
  return { ...NO_WORKSPACE_ACCESS, ...(JSON.parse(custom) as Partial<WorkspaceAccess>), admin: false, owner: false };
}
