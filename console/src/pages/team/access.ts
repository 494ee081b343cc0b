import type { Resources } from '../../api/client.ts';

/** One thing that a team may do in the whole organization. */
export type Flag = keyof Resources['teams']['attributes']['organization-access'];

/** What belongs together: what it is about, and what each step of it is called. */
export const MATRIX: readonly (readonly [about: string, flags: readonly (readonly [Flag, string])[]])[] = [
  [
    'Workspaces',
    [
      ['read-workspaces', 'read all of them'],
      ['manage-workspaces', 'create and manage all of them'],
    ],
  ],
  [
    'Projects',
    [
      ['read-projects', 'read all of them'],
      ['manage-projects', 'create and manage all of them'],
    ],
  ],
  [
    'People',
    [
      ['manage-membership', 'invite and remove members'],
      ['manage-teams', 'create and manage teams'],
      ['manage-organization-access', 'say what teams may do'],
      ['access-secret-teams', 'see secret teams'],
    ],
  ],
  [
    'Runs',
    [
      ['manage-agent-pools', 'manage agent pools'],
      ['manage-run-tasks', 'manage run tasks'],
      ['manage-vcs-settings', 'manage connections and SSH keys'],
    ],
  ],
  [
    'Policies',
    [
      ['manage-policies', 'manage policies'],
      ['manage-policy-overrides', 'override refusals'],
      ['delegate-policy-overrides', 'let others override'],
    ],
  ],
  [
    'Registry',
    [
      ['manage-modules', 'manage modules'],
      ['manage-providers', 'manage providers'],
    ],
  ],
];
