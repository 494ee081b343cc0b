import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

/** Name of one permission in the whole organization. */
export type Flag = keyof Resources['teams']['attributes']['organization-access'];

/** Permissions by area, with the label of each. */
export const MATRIX: readonly (readonly [about: string, flags: readonly (readonly [Flag, string])[]])[] = [
  [
    texts.workspaces,
    [
      ['read-workspaces', texts.readAllWorkspaces],
      ['manage-workspaces', texts.createAndManageAllWorkspaces],
    ],
  ],
  [
    texts.projects,
    [
      ['read-projects', texts.readAllProjects],
      ['manage-projects', texts.createAndManageAllProjects],
    ],
  ],
  [
    texts.membersAndTeams,
    [
      ['manage-membership', texts.inviteAndRemoveMembers],
      ['manage-teams', texts.createAndManageTeams],
      ['manage-organization-access', texts.changeThePermissionsOfTeams],
      ['access-secret-teams', texts.seeSecretTeams],
    ],
  ],
  [
    texts.runs,
    [
      ['manage-agent-pools', texts.manageAgentPools],
      ['manage-run-tasks', texts.manageRunTasks],
      ['manage-vcs-settings', texts.manageVcsProvidersAnd],
    ],
  ],
  [
    texts.policies,
    [
      ['manage-policies', texts.managePolicies],
      ['manage-policy-overrides', texts.overrideFailedPolicies],
      ['delegate-policy-overrides', texts.letOthersOverrideFailedPolicies],
    ],
  ],
  [
    texts.registry,
    [
      ['manage-modules', texts.manageModules],
      ['manage-providers', texts.manageProviders],
    ],
  ],
];
