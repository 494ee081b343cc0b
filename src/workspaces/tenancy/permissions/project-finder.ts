import type { Queries } from '../../../storage/index.ts';
import { type Fragment, fragment, isOneOf } from '../../query/dynamic.ts';
import { type Actor, grantIn, noteSubject } from './actor.ts';
import { projectAccessTo, projectAccessToEach } from './granted-access.ts';
import type { Grant } from './grants.ts';
import {
  FULL_PROJECT_ACCESS,
  NO_PROJECT_ACCESS,
  organizationWideProjectAccess,
  type ProjectPermission,
  projectPermissions,
  uniteProjectAccess,
} from './project.ts';

/** Fields of a project that decide about access to it. */
export interface ProjectTarget {
  readonly id: string;
  readonly organizationId: string;
}

/** Project with the actor's permissions on it. */
export type Permitted<Project> = Project & { readonly permissions: Readonly<Record<ProjectPermission, boolean>> };

/**
 * Returns the project with the actor's permissions.
 * @throws 404 in an organization in which the actor has no grants
 */
export async function permitted<P extends ProjectTarget>(db: Queries, actor: Actor, project: P): Promise<Permitted<P>> {
  const wide = organizationWideProjectAccess(grantIn(actor, project.organizationId));
  noteSubject(actor, { projectId: project.id });
  // Full access across the organization makes the query for project grants unnecessary.
  const isFull = wide === FULL_PROJECT_ACCESS;
  const single = isFull ? NO_PROJECT_ACCESS : await projectAccessTo(db, actor, project.organizationId, project.id);
  return { ...project, permissions: projectPermissions(uniteProjectAccess(wide, single)) };
}

/**
 * Like `permitted` for many projects, in one query. Leaves out projects of organizations in which the actor has no
 * grants.
 */
export async function permittedEach<P extends ProjectTarget>(
  db: Queries,
  actor: Actor,
  projects: readonly P[],
): Promise<Permitted<P>[]> {
  const known = projects.filter(({ organizationId }) => actor.grants.has(organizationId));
  const organizations = new Set(known.map(({ organizationId }) => organizationId));
  const teams = [...organizations].flatMap((id) => grantIn(actor, id).teamIds);
  const ids = known.map(({ id }) => id);
  const single = await projectAccessToEach(db, teams, ids);
  return known.map((project) => {
    const wide = organizationWideProjectAccess(grantIn(actor, project.organizationId));
    const access = uniteProjectAccess(wide, single.get(project.id) ?? NO_PROJECT_ACCESS);
    return { ...project, permissions: projectPermissions(access) };
  });
}

/**
 * Returns the condition that project `p` of the grant's organization has the permission; an empty array if every
 * project has it. The query compares fixed levels and custom details in their stored form.
 */
export function permittedProjects(
  grant: Grant,
  permission: 'can-read' | 'can-update' | 'can-create-workspace' | 'can-read-varsets',
): Fragment[] {
  if (projectPermissions(organizationWideProjectAccess(grant))[permission]) return [];
  const ofTeam = isOneOf('team_id', grant.teamIds);
  if (permission === 'can-read') {
    return [
      fragment`p.id in (select project_id from team_project where ${ofTeam}
        union select project_id from team_workspace where ${ofTeam} and shows = 1)`,
    ];
  }
  const given = fragment.raw(GIVES[permission]);
  return [fragment`p.id in (select project_id from team_project where ${ofTeam} and ${given})`];
}

/** Conditions on a grant of `team_project` that gives the permission. */
const GIVES = {
  'can-update': `project_settings in ('update', 'delete')`,
  'can-create-workspace': 'creates = 1',
  'can-read-varsets': `variable_sets <> 'none'`,
} as const;
