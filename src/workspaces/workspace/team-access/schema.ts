import { Type } from 'typebox';
import { type Page, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, nullable, nullableEnum, resourceBody, typed } from '../../jsonapi/schema.ts';
import {
  PROJECT_TEAMS,
  RUNS,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  VARIABLE_SETS,
  VARIABLES,
} from '../../tenancy/index.ts';

const flag = Type.Optional(nullable(Type.Boolean()));

const details = {
  runs: Type.Optional(nullableEnum(RUNS)),
  variables: Type.Optional(nullableEnum(VARIABLES)),
  'state-versions': Type.Optional(nullableEnum(STATE_VERSIONS)),
  'sentinel-mocks': Type.Optional(nullableEnum(SENTINEL_MOCKS)),
  'run-tasks': flag,
  'policy-overrides': flag,
};
const workspaceDetails = { ...details, 'workspace-locking': flag };
const projectDetails = {
  'project-access': Type.Optional(
    Type.Object({
      // The level `none` does not exist here: a team with access to a project sees it.
      settings: Type.Optional(nullableEnum(['read', 'update', 'delete'])),
      teams: Type.Optional(nullableEnum(PROJECT_TEAMS)),
      'variable-sets': Type.Optional(nullableEnum(VARIABLE_SETS)),
    }),
  ),
  'workspace-access': Type.Optional(Type.Object({ ...details, locking: flag, create: flag, move: flag, delete: flag })),
};

const workspaceLevel = Type.Enum([...TEAM_WORKSPACE_LEVELS]);
const projectLevel = Type.Enum([...TEAM_PROJECT_LEVELS]);

/** The subject of a grant. Required: official clients always send both. */
function relation<const T extends string>(type: T) {
  return Type.Object({ data: Type.Object({ type: typed(type), id: Id }) });
}

export const CreateWorkspaceGrant = Type.Object({
  data: Type.Object({
    type: typed('team-workspaces'),
    attributes: Type.Object({ access: workspaceLevel, ...workspaceDetails }),
    relationships: Type.Object({ team: relation('teams'), workspace: relation('workspaces') }),
  }),
});
export const UpdateWorkspaceGrant = resourceBody(
  ANY_TYPE,
  Type.Object({ access: Type.Optional(workspaceLevel), ...workspaceDetails }),
  {},
);
export const CreateProjectGrant = Type.Object({
  data: Type.Object({
    type: ANY_TYPE,
    attributes: Type.Object({ access: projectLevel, ...projectDetails }),
    relationships: Type.Object({ team: relation('teams'), project: relation('projects') }),
  }),
});
export const UpdateProjectGrant = resourceBody(
  ANY_TYPE,
  Type.Object({ access: Type.Optional(projectLevel), ...projectDetails }),
  {},
);

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
