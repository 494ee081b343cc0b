import type { Resources } from '../../api/client.ts';
import type { WORKSPACE_STEPS } from '../../components/rights/Rights.tsx';

export type TeamAccess = Resources['team-workspaces'];
export type Attributes = TeamAccess['attributes'];
type Level = Attributes['access'];

/** What a team can be given on a workspace, and what it means. */
export const LEVELS: readonly (readonly [level: Level, words: string])[] = [
  ['read', 'read: look at runs, variables and states'],
  ['plan', 'plan: start plans too'],
  ['write', 'write: apply, lock, change variables and states too'],
  ['admin', 'admin: settings, access and deletion too'],
  ['custom', 'custom: right by right'],
];

/** Rights that are there or not. */
export const FLAGS = [
  ['workspace-locking', 'Lock'],
  ['run-tasks', 'Run tasks'],
  ['policy-overrides', 'Override policies'],
] as const;

/** What `custom` can say. */
export type Rights = Pick<Attributes, (typeof WORKSPACE_STEPS)[number][0] | (typeof FLAGS)[number][0]>;

/** That of new custom access: to see runs. */
export const FEW: Rights = {
  runs: 'read',
  variables: 'none',
  'state-versions': 'none',
  'sentinel-mocks': 'none',
  'workspace-locking': false,
  'run-tasks': false,
  'policy-overrides': false,
};

/** The rights of an access, without what else is said of it. */
export function rightsOf(attributes: Rights): Rights {
  const keys = Object.keys(FEW) as (keyof Rights)[];
  return Object.fromEntries(keys.map((key) => [key, attributes[key]])) as unknown as Rights;
}
