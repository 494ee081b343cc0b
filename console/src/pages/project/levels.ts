import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

export type Access = Resources['team-projects'];
type Attributes = Access['attributes'];

/** Access levels on a project, with descriptions. */
export const LEVELS: readonly (readonly [level: Attributes['access'], words: string])[] = [
  ['read', texts.readViewEverything],
  ['write', texts.writePlanAndApply],
  ['maintain', texts.maintainAlsoSettingsAnd],
  ['admin', texts.adminAlsoTeamsAndDeletion],
  ['custom', texts.customIndividualPermissions],
];

/** Permissions on the project itself, from least to most. Every level includes seeing it. */
export const OF_PROJECT = [
  ['settings', texts.settings, ['read', 'update', 'delete']],
  ['teams', texts.teams, ['none', 'read', 'manage']],
  ['variable-sets', texts.variableSets, ['none', 'read', 'write']],
] as const;

/** Permissions that are on or off. */
export const FLAGS = [
  ['locking', texts.lockWorkspaces],
  ['run-tasks', texts.runTasks],
  ['policy-overrides', texts.overridePolicies],
  ['create', texts.createWorkspaces],
  ['move', texts.moveWorkspaces],
  ['delete', texts.deleteWorkspaces],
] as const;

/** Individual permissions of `custom` access. */
export interface ProjectRights {
  readonly project: Attributes['project-access'];
  readonly workspaces: Attributes['workspace-access'];
}

/** Initial permissions of custom access: viewing runs. */
export const FEW: ProjectRights = {
  project: { settings: 'read', teams: 'none', 'variable-sets': 'none' },
  workspaces: {
    ...{ runs: 'read', variables: 'none', 'state-versions': 'none', 'sentinel-mocks': 'none' },
    ...{ locking: false, 'run-tasks': false, 'policy-overrides': false, create: false, move: false, delete: false },
  },
};
