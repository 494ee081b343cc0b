import type { Resources } from '../../api/client.ts';
import type { WORKSPACE_STEPS } from '../../components/rights/Rights.tsx';
import * as texts from './texts.ts';

export type TeamAccess = Resources['team-workspaces'];
export type Attributes = TeamAccess['attributes'];
type Level = Attributes['access'];

/** Access levels of a team on a workspace, with their meaning. */
export const LEVELS: readonly (readonly [level: Level, words: string])[] = [
  ['read', texts.readSeeRunsVariables],
  ['plan', texts.planAlsoStartPlans],
  ['write', texts.writeAlsoApplyLock],
  ['admin', texts.adminAlsoChangeSettings],
  ['custom', texts.customIndividualPermissions],
];

/** Permissions that are either given or not. */
export const FLAGS = [
  ['workspace-locking', texts.lock],
  ['run-tasks', texts.runTasks],
  ['policy-overrides', texts.overridePolicies],
] as const;

/** Permissions of `custom` access. */
export type Rights = Pick<Attributes, (typeof WORKSPACE_STEPS)[number][0] | (typeof FLAGS)[number][0]>;

/** Initial permissions of new custom access: read runs. */
export const FEW: Rights = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'workspace-locking': false,
  'run-tasks': false,
  'policy-overrides': false,
};

/** Returns only the permissions of an access. */
export function rightsOf(attributes: Rights): Rights {
  const keys = Object.keys(FEW) as (keyof Rights)[];
  return Object.fromEntries(keys.map((key) => [key, attributes[key]])) as unknown as Rights;
}
