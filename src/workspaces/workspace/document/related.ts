import {
  OrganizationResource,
  ProjectResource,
  TeamResource,
  type Tenancy,
  userResource,
} from '../../tenancy/index.ts';
import type { IncludeSource } from '../hooks/hooks.ts';

/**
 * Returns the sources of related resources of a workspace. The modules of keys, pools, runs, states and
 * variables add their own.
 */
export function includedRelated(tenancy: Tenancy) {
  return { locked_by: holders(tenancy), organization: organization(tenancy), project: project(tenancy) };
}

function organization({ organizations }: Tenancy): IncludeSource {
  return async (actor, workspaces) => {
    const names = new Set(workspaces.map(({ organizationName }) => organizationName));
    const found = [...names].map((name) => organizations.find(actor, name, 'can-traverse'));
    return { resources: (await Promise.all(found)).map((one) => OrganizationResource.document(one)) };
  };
}

function project({ projects }: Tenancy): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.map(({ projectId }) => projectId));
    return { resources: (await projects.readable(actor, [...ids])).map((one) => ProjectResource.document(one)) };
  };
}

/** Included users and teams. */
function holders({ teams, users }: Tenancy): IncludeSource {
  return async (actor, workspaces) => {
    const all = workspaces.flatMap(({ lock }) => (lock === null ? [] : [lock.holder]));
    const idsOf = (type: string) => [...new Set(all.filter((holder) => holder.type === type).map(({ id }) => id))];
    const [people, groups] = [idsOf('users'), idsOf('teams')];
    const resources = [
      ...(people.length === 0 ? [] : await users.named(people)).map((user) => userResource(user, actor)),
      ...(groups.length === 0 ? [] : await teams.readable(actor, groups)).map((team) => TeamResource.document(team)),
    ];
    return { resources };
  };
}
