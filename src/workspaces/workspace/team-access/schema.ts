import { Type } from 'typebox';
import { type Page, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, resourceBody, typed } from '../../jsonapi/schema.ts';
import { TeamProjectResource, TeamWorkspaceResource } from './resource.ts';

/** The subject of a grant. Required: official clients always send both. */
function relation<const T extends string>(type: T) {
  return Type.Object({ data: Type.Object({ type: typed(type), id: Id }) });
}

export const CreateWorkspaceGrant = Type.Object({
  data: Type.Object({
    type: typed('team-workspaces'),
    attributes: TeamWorkspaceResource.create,
    relationships: Type.Object({ team: relation('teams'), workspace: relation('workspaces') }),
  }),
});
export const UpdateWorkspaceGrant = resourceBody(ANY_TYPE, TeamWorkspaceResource.update, {});
export const CreateProjectGrant = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: TeamProjectResource.create,
    relationships: Type.Object({ team: relation('teams'), project: relation('projects') }),
  }),
});
export const UpdateProjectGrant = resourceBody(ANY_TYPE, TeamProjectResource.update, {});

/** Official clients use this filter to find the grant of one team. */
const ofTeam = { 'filter[team][id]': Type.Optional(Id) };
export const WorkspaceGrantList = Type.Object({ ...pageQuery, ...ofTeam, 'filter[workspace][id]': Id });
export const ProjectGrantList = Type.Object({ ...pageQuery, ...ofTeam, 'filter[project][id]': Id });

/**
 * More teams than have access to one workspace or project.
 * @limit teams in a list without pages, teams -> the others are left out
 */
const MAX_UNPAGED = 1000;

/** Official clients request no page and expect the whole list. */
export function wholeOrPage(query: { readonly 'page[number]'?: string; readonly 'page[size]'?: string }): Page {
  if (query['page[number]'] !== undefined || query['page[size]'] !== undefined) return pageOf(query);
  return { number: 1, size: MAX_UNPAGED, offset: 0 };
}
