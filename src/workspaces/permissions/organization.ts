import type { Grant } from './grants.ts';

function managesWorkspaces({ owner, access }: Grant): boolean {
  return owner || access['manage-workspaces'] || access['manage-projects'];
}

function managesProjects({ owner, access }: Grant): boolean {
  return owner || access['manage-projects'];
}

/** What somebody with any grant at all may do with the organization. */
export function organizationPermissions(grant: Grant) {
  return {
    'can-traverse': true,
    'can-update': grant.owner,
    'can-destroy': grant.owner,
    'can-create-team': grant.owner,
    'can-create-project': managesProjects(grant),
    'can-create-workspace': managesWorkspaces(grant),
  };
}

/** Alike for every project of the organization, as long as no grant is for one project alone. */
export function projectPermissions(grant: Grant) {
  const reads = grant.access['read-projects'] || grant.access['read-workspaces'];
  return {
    'can-read': reads || managesWorkspaces(grant),
    'can-update': managesProjects(grant),
    'can-destroy': managesProjects(grant),
    'can-create-workspace': managesWorkspaces(grant),
    'can-move-workspace': managesProjects(grant),
  };
}

/** A team is seen by its owners, by those who act for it, and by the whole organization when it is not secret. */
export function teamPermissions(grant: Grant, team: { id: string; owners: boolean; visibility: string }) {
  const manages = grant.owner;
  return {
    'can-read': manages || team.visibility === 'organization' || grant.teamIds.includes(team.id),
    'can-update-organization-access': manages && !team.owners,
    'can-destroy': manages && !team.owners,
    'can-manage-machine-identities': manages,
  };
}

/** What can be asked of an organization. */
export type OrganizationPermission = keyof ReturnType<typeof organizationPermissions>;
/** What can be asked of a project. */
export type ProjectPermission = keyof ReturnType<typeof projectPermissions>;
/** What can be asked of a team. */
export type TeamPermission = keyof ReturnType<typeof teamPermissions>;
