import { type TObject, type TSchema, Type } from 'typebox';
import type { Resource } from '../../jsonapi/document.ts';
import { nullable, nullableEnum } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, toOne } from '../../resource/index.ts';
import {
  type CustomAccess,
  PROJECT_SETTINGS,
  PROJECT_TEAMS,
  RUNS,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  VARIABLE_SETS,
  VARIABLES,
} from '../../tenancy/index.ts';
import type { ProjectGrant } from './project-grant-store.ts';
import { detailsInProject, projectDetails, workspaceDetails } from './rules.ts';
import type { WorkspaceGrant } from './workspace-grant-store.ts';

const flag = { shown: is.flag, ...optional(nullable(Type.Boolean())) };

/** One of these words. In a body, null means the default. */
function step<const Words extends readonly string[]>(words: Words) {
  return { shown: Type.Enum([...words]), ...optional(nullableEnum(words)) };
}

/** Permissions that workspaces and projects share. */
const DETAILS = {
  runs: step(RUNS),
  variables: step(VARIABLES),
  'state-versions': step(STATE_VERSIONS),
  'sentinel-mocks': step(SENTINEL_MOCKS),
  'run-tasks': flag,
  'policy-overrides': flag,
};
type Details = typeof DETAILS;
const details = Object.fromEntries(
  Object.entries(DETAILS).map(([name, schemas]) => [
    name,
    { ...schemas, read: (_: WorkspaceGrant, given: CustomAccess) => given[name as keyof Details] },
  ]),
) as { [Name in keyof Details]: Details[Name] & { read(_: WorkspaceGrant, given: CustomAccess): unknown } };

interface Permission {
  readonly shown: TSchema;
  readonly update: TSchema;
}

/** Returns the schemas of an object of permissions, in documents and in bodies. */
function objectOf<P extends Readonly<Record<string, Permission>>>(permissions: P) {
  const schemaOf = (use: keyof Permission): unknown =>
    Type.Object(Object.fromEntries(Object.entries(permissions).map(([name, schemas]) => [name, schemas[use]])));
  return {
    shown: schemaOf('shown') as TObject<{ [Name in keyof P]: P[Name]['shown'] }>,
    written: optional(schemaOf('update') as TObject<{ [Name in keyof P]: P[Name]['update'] }>),
  };
}

const inProject = objectOf({
  // The level `none` cannot be written: a team with access to a project sees it.
  settings: { ...step(PROJECT_SETTINGS), ...optional(nullableEnum(['read', 'update', 'delete'])) },
  teams: step(PROJECT_TEAMS),
  'variable-sets': step(VARIABLE_SETS),
});
const inWorkspaces = objectOf({ ...DETAILS, locking: flag, create: flag, move: flag, delete: flag });

type WorkspaceLevel = (typeof TEAM_WORKSPACE_LEVELS)[number];
type ProjectLevel = (typeof TEAM_PROJECT_LEVELS)[number];
const workspaceLevel = Type.Enum([...TEAM_WORKSPACE_LEVELS]);
const projectLevel = Type.Enum([...TEAM_PROJECT_LEVELS]);

/** A team's access to a workspace, with the permissions of fixed levels too. */
export const TeamWorkspaceResource = resourceOf<WorkspaceGrant, [details: CustomAccess]>()('team-workspaces', {
  attributes: {
    access: attribute(workspaceLevel, (grant) => grant.access as WorkspaceLevel, required(workspaceLevel)),
    ...details,
    'workspace-locking': { ...flag, read: (_, { locking }) => locking },
  },
  relationships: { team: toOne('teams', 'teamId'), workspace: toOne('workspaces', 'workspaceId') },
  links: ({ id }) => ({ self: `/api/v2/team-workspaces/${id}` }),
});

/** Returns the document of a team's access to a workspace. */
export function workspaceGrantDocument(grant: WorkspaceGrant): Resource {
  return TeamWorkspaceResource.document(grant, workspaceDetails(grant));
}

/** A team's access to a project. */
export const TeamProjectResource = resourceOf<ProjectGrant>()('team-projects', {
  attributes: {
    access: attribute(projectLevel, (grant) => grant.access as ProjectLevel, required(projectLevel)),
    'project-access': attribute(inProject.shown, projectDetails, inProject.written),
    'workspace-access': attribute(inWorkspaces.shown, detailsInProject, inWorkspaces.written),
  },
  relationships: { team: toOne('teams', 'teamId'), project: toOne('projects', 'projectId') },
  links: ({ id }) => ({ self: `/api/v2/team-projects/${id}` }),
});
