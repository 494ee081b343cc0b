import type { Resources } from '../../api/client.ts';

export type Access = Resources['team-projects'];
type Attributes = Access['attributes'];

/** What a team can be given on a project, and what it means. */
export const LEVELS: readonly (readonly [level: Attributes['access'], words: string])[] = [
  ['read', 'read: look at everything'],
  ['write', 'write: plan and apply, change variables'],
  ['maintain', 'maintain: settings and new workspaces too'],
  ['admin', 'admin: teams and deletion too'],
  ['custom', 'custom: right by right'],
];

/** Rights on the project itself, from least to most. Whoever has access sees it. */
export const OF_PROJECT = [
  ['settings', 'Settings', ['read', 'update', 'delete']],
  ['teams', 'Teams', ['none', 'read', 'manage']],
  ['variable-sets', 'Variable sets', ['none', 'read', 'write']],
] as const;

/** Those that are there or not. */
export const FLAGS = [
  ['locking', 'Lock workspaces'],
  ['run-tasks', 'Run tasks'],
  ['policy-overrides', 'Override policies'],
  ['create', 'Make workspaces'],
  ['move', 'Move workspaces'],
  ['delete', 'Delete workspaces'],
] as const;

/** What `custom` can say. */
export interface ProjectRights {
  readonly project: Attributes['project-access'];
  readonly workspaces: Attributes['workspace-access'];
}

/** That of new custom access: to see runs. */
export const FEW: ProjectRights = {
  project: { settings: 'read', teams: 'none', 'variable-sets': 'none' },
  workspaces: {
    ...{ runs: 'read', variables: 'none', 'state-versions': 'none', 'sentinel-mocks': 'none' },
    ...{ locking: false, 'run-tasks': false, 'policy-overrides': false, create: false, move: false, delete: false },
  },
};
