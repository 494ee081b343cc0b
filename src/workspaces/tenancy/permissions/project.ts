import { CUSTOM_ACCESS, type CustomAccess, reaches, type StoredAccess, type WorkspaceAccess } from './access.ts';
import type { Grant } from './grants.ts';

/** Steps of access to one aspect of a project, from least to most. */
export const PROJECT_SETTINGS = ['none', 'read', 'update', 'delete'] as const;
export const PROJECT_TEAMS = ['none', 'read', 'manage'] as const;
export const VARIABLE_SETS = ['none', 'read', 'write'] as const;

/** Access to a project and to the set of workspaces in it. */
export interface ProjectAccess {
  readonly settings: (typeof PROJECT_SETTINGS)[number];
  readonly teams: (typeof PROJECT_TEAMS)[number];
  readonly 'variable-sets': (typeof VARIABLE_SETS)[number];
  /** Permission to create workspaces. */
  readonly create: boolean;
  readonly move: boolean;
}

/** No access: the project does not exist for the caller. */
export const NO_PROJECT_ACCESS: ProjectAccess = {
  settings: 'none',
  teams: 'none',
  'variable-sets': 'none',
  create: false,
  move: false,
};

const READ: ProjectAccess = { ...NO_PROJECT_ACCESS, settings: 'read', teams: 'read', 'variable-sets': 'read' };
/** Full access. */
export const FULL_PROJECT_ACCESS: ProjectAccess = {
  settings: 'delete',
  teams: 'manage',
  'variable-sets': 'write',
  create: true,
  move: true,
};

/** Access of each fixed level. The level `custom` stores its own details. */
const LEVELS = {
  read: { ...READ, teams: 'none' },
  write: { ...READ, teams: 'none' },
  maintain: { ...READ, teams: 'none', create: true },
  admin: FULL_PROJECT_ACCESS,
  // Level of a team that sees a workspace in the project and has no grant for the project.
  shown: { ...NO_PROJECT_ACCESS, settings: 'read' },
} as const satisfies Record<string, ProjectAccess>;

/** Defaults of the level `custom` for the project itself. */
export const CUSTOM_PROJECT_ACCESS = {
  settings: 'read',
  teams: 'none',
  'variable-sets': 'none',
} as const satisfies Partial<ProjectAccess>;
/** Parts of project access that `custom` can set. */
export type CustomProjectAccess = Pick<ProjectAccess, keyof typeof CUSTOM_PROJECT_ACCESS>;

/** Defaults of the level `custom` for the workspaces in a project. */
export const CUSTOM_ACCESS_IN_PROJECT = { ...CUSTOM_ACCESS, create: false, move: false, delete: false } as const;
/** Parts of access to the workspaces in a project that `custom` can set. */
export type CustomAccessInProject = CustomAccess &
  Pick<WorkspaceAccess, 'move' | 'delete'> &
  Pick<ProjectAccess, 'create'>;

/** Stored grant. The details of `custom` are JSON: one for the project, one for its workspaces. */
export interface StoredProjectAccess extends StoredAccess {
  readonly projectCustom: string;
}

/** Returns the access that a stored grant gives. */
export function projectAccessOf({ access, projectCustom, custom }: StoredProjectAccess): ProjectAccess {
  if (access in LEVELS) return LEVELS[access as keyof typeof LEVELS];
  const { create = false, move = false } = JSON.parse(custom) as Partial<ProjectAccess>;
  return { ...CUSTOM_PROJECT_ACCESS, ...(JSON.parse(projectCustom) as Partial<ProjectAccess>), create, move };
}

/** Returns the sum of two accesses. */
export function uniteProjectAccess(one: ProjectAccess, other: ProjectAccess): ProjectAccess {
  return {
    settings: reaches(PROJECT_SETTINGS, one.settings, other.settings) ? one.settings : other.settings,
    teams: reaches(PROJECT_TEAMS, one.teams, other.teams) ? one.teams : other.teams,
    'variable-sets': reaches(VARIABLE_SETS, one['variable-sets'], other['variable-sets'])
      ? one['variable-sets']
      : other['variable-sets'],
    create: one.create || other.create,
    move: one.move || other.move,
  };
}

/** Returns the access to every project that a grant for the whole organization gives. */
export function organizationWideProjectAccess({ owner, access }: Grant): ProjectAccess {
  if (owner || access['manage-projects']) return FULL_PROJECT_ACCESS;
  if (access['manage-workspaces']) return { ...READ, create: true };
  if (access['read-projects'] || access['read-workspaces']) return READ;
  return NO_PROJECT_ACCESS;
}

/** Permissions on a project. No other place decides about them. */
export function projectPermissions(access: ProjectAccess) {
  const settings = (wanted: ProjectAccess['settings']) => reaches(PROJECT_SETTINGS, access.settings, wanted);
  const teams = (wanted: ProjectAccess['teams']) => reaches(PROJECT_TEAMS, access.teams, wanted);
  return {
    'can-read': settings('read'),
    'can-update': settings('update'),
    'can-destroy': settings('delete'),
    'can-create-workspace': access.create,
    'can-move-workspace': access.move,
    'can-move-stack': false,
    'can-deploy-no-code-modules': false,
    'can-read-teams': teams('read'),
    'can-manage-teams': teams('manage'),
    'can-manage-tags': settings('update'),
    'can-manage-in-hcp': false,
    'can-manage-ephemeral-workspace-for-projects': settings('update'),
    'can-read-varsets': access['variable-sets'] !== 'none',
    'can-manage-varsets': access['variable-sets'] === 'write',
  };
}

/** Permission on a project. */
export type ProjectPermission = keyof ReturnType<typeof projectPermissions>;
export const PROJECT_PERMISSIONS = Object.keys(projectPermissions(NO_PROJECT_ACCESS)) as ProjectPermission[];
