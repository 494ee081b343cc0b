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

/** A project, as far as access to it is concerned. */
export interface ProjectTarget {
  readonly id: string;
  readonly organizationId: string;
}

/** A project with what the actor may do with it. */
export type Permitted<Project> = Project & { readonly permissions: Readonly<Record<ProjectPermission, boolean>> };

/** What the actor may do with a project. @throws 404 in an organization in which they are granted nothing */
export async function permitted<P extends ProjectTarget>(db: Queries, actor: Actor, project: P): Promise<Permitted<P>> {
  const wide = organizationWideProjectAccess(grantIn(actor, project.organizationId));
  noteSubject(actor, { projectId: project.id });
  // Who has all of it in the whole organization needs no grant for the one project.
  const isFull = wide === FULL_PROJECT_ACCESS;
  const single = isFull ? NO_PROJECT_ACCESS : await projectAccessTo(db, actor, project.organizationId, project.id);
  return { ...project, permissions: projectPermissions(uniteProjectAccess(wide, single)) };
}

/** The same of many in one query. Those of organizations in which the actor is granted nothing are left out. */
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
 * In a list, whether project `p` of the organization of the grant has the permission: nothing where each has it. Fixed
 * levels and the details of custom ones are compared as they are stored.
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
  const { levels, custom } = GIVES[permission];
  return [
    fragment`p.id in (select project_id from team_project where ${ofTeam} and (${isOneOf('access', levels)}
      or access = 'custom' and ${fragment.raw(custom)}))`,
  ];
}

const GIVES = {
  'can-update': {
    levels: ['admin'],
    custom: `(project_custom like '%"settings":"update"%' or project_custom like '%"settings":"delete"%')`,
  },
  'can-create-workspace': { levels: ['maintain', 'admin'], custom: `custom like '%"create":true%'` },
  'can-read-varsets': {
    levels: ['read', 'write', 'maintain', 'admin'],
    custom: `(project_custom like '%"variable-sets":"read"%' or project_custom like '%"variable-sets":"write"%')`,
  },
} as const;
