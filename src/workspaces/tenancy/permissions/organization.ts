import { type Grant, NO_GRANT } from './grants.ts';

/** Permissions on an organization for an actor with any grant in it. No other place decides about them. */
export function organizationPermissions({ owner, access, setsUpOnly }: Grant) {
  const managesProjects = owner || access['manage-projects'];
  const managesWorkspaces = managesProjects || access['manage-workspaces'];
  const readsWorkspaces = managesWorkspaces || access['read-workspaces'];
  const managesModules = owner || access['manage-modules'];
  const managesProviders = owner || access['manage-providers'];
  const managesRunTasks = owner || access['manage-run-tasks'];
  const managesVcs = owner || access['manage-vcs-settings'];
  return {
    'can-traverse': true,
    'can-update': owner,
    'can-destroy': owner,
    'can-access-via-teams': true,
    'can-create-team': owner || access['manage-teams'],
    'can-create-project': managesProjects,
    'can-create-workspace': managesWorkspaces,
    'can-create-workspace-migration': false,
    'can-manage-users': owner || access['manage-membership'],
    'can-manage-tags': managesWorkspaces,
    'can-manage-varsets': managesWorkspaces,
    'can-read-varsets': readsWorkspaces || access['read-projects'],
    'can-manage-run-tasks': managesRunTasks,
    'can-read-run-tasks': managesRunTasks || readsWorkspaces,
    'can-update-oauth': managesVcs,
    // The organization token is for automation and does not need private keys.
    'can-update-ssh-keys': managesVcs && !setsUpOnly,
    'can-update-agent-pools': owner || access['manage-agent-pools'],
    'can-update-sentinel': owner || access['manage-policies'],
    'can-update-api-token': owner,
    'can-manage-auditing': owner,
    'can-manage-sso': owner,
    'can-manage-subscription': owner,
    'can-start-trial': false,
    'can-create-module': managesModules,
    'can-create-provider': managesProviders,
    'can-manage-custom-providers': managesProviders,
    'can-manage-public-modules': managesModules,
    'can-manage-public-providers': managesProviders,
    'can-manage-no-code-modules': false,
    'can-deploy-no-code-modules': false,
  };
}

/** Permission on an organization. */
export type OrganizationPermission = keyof ReturnType<typeof organizationPermissions>;
export const ORGANIZATION_PERMISSIONS = Object.keys(organizationPermissions(NO_GRANT)) as OrganizationPermission[];
