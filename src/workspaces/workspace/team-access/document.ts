import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { ProjectGrant } from './project-grant-store.ts';
import { detailsInProject, projectDetails, workspaceDetails } from './rules.ts';
import type { WorkspaceGrant } from './workspace-grant-store.ts';

/** Returns the document of a team's access to a workspace, with the permissions of fixed levels too. */
export function workspaceGrantResource(grant: WorkspaceGrant): Resource {
  const { locking, ...details } = workspaceDetails(grant);
  return {
    id: grant.id,
    type: 'team-workspaces',
    attributes: { access: grant.access, ...details, 'workspace-locking': locking },
    relationships: { team: toOne('teams', grant.teamId), workspace: toOne('workspaces', grant.workspaceId) },
    links: { self: `/api/v2/team-workspaces/${grant.id}` },
  };
}

/** Returns the document of a team's access to a project. */
export function projectGrantResource(grant: ProjectGrant): Resource {
  return {
    id: grant.id,
    type: 'team-projects',
    attributes: {
      access: grant.access,
      'project-access': projectDetails(grant),
      'workspace-access': detailsInProject(grant),
    },
    relationships: { team: toOne('teams', grant.teamId), project: toOne('projects', grant.projectId) },
    links: { self: `/api/v2/team-projects/${grant.id}` },
  };
}
