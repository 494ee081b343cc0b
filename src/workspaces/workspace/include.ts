import type { Database } from '../../storage/index.ts';
import type { Resource } from '../jsonapi/document.ts';
import { organizationResource } from '../organization/document.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import { projectResource } from '../project/document.ts';
import type { Projects } from '../project/projects.ts';
import { teamResource } from '../team/document.ts';
import type { Teams } from '../team/teams.ts';
import { userResource } from '../user/document.ts';
import type { Users } from '../user/users.ts';
import * as bindingStore from './binding-store.ts';
import { effectiveBindingResource, workspaceResource } from './document.ts';
import type { WorkspaceView } from './workspace.ts';

/** What may be asked for (spec §4.4, and what official clients add). Runs and what comes of them do not exist yet. */
export const INCLUDES = [
  'agent_pool',
  'current_assessment_result',
  'current_configuration_version',
  'current_configuration_version.ingress_attributes',
  'current_run',
  'current_run.apply',
  'current_run.configuration_version',
  'current_run.configuration_version.ingress_attributes',
  'current_run.plan',
  'current_state_version',
  'effective_tag_bindings',
  'latest_run',
  'locked_by',
  'organization',
  'outputs',
  'project',
  'readme',
  'vars',
] as const;

/** A word of `include`, with underscores. */
export type Include = (typeof INCLUDES)[number];

/** Whom to ask for what is included. */
export interface IncludeSources {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly teams: Teams;
  readonly users: Users;
}

/** Workspaces as resources, and what they point at as far as it was asked for: one query a kind, however many. */
export async function withIncludes(
  sources: IncludeSources,
  actor: Actor,
  workspaces: readonly WorkspaceView[],
  asked: ReadonlySet<Include>,
): Promise<{ data: Resource[]; included: Resource[] }> {
  if (asked.size === 0 || workspaces.length === 0) {
    return { data: workspaces.map((workspace) => workspaceResource(workspace)), included: [] };
  }
  const bindings = asked.has('effective_tag_bindings') ? await bindingsOf(sources, workspaces) : undefined;
  const included = [
    ...(asked.has('organization') ? await organizationsOf(sources, actor, workspaces) : []),
    ...(asked.has('project') ? await projectsOf(sources, actor, workspaces) : []),
    ...(asked.has('locked_by') ? await holdersOf(sources, actor, workspaces) : []),
    ...[...(bindings?.values() ?? [])].flat().map(effectiveBindingResource),
  ];
  const data = workspaces.map((workspace) =>
    workspaceResource(workspace, bindings && (bindings.get(workspace.id) ?? [])),
  );
  return { data, included };
}

async function bindingsOf({ database }: IncludeSources, workspaces: readonly WorkspaceView[]) {
  const all = await bindingStore.ofWorkspaces(
    database,
    workspaces.map(({ id }) => id),
  );
  return Map.groupBy(all, ({ workspaceId }) => workspaceId);
}

async function organizationsOf({ organizations }: IncludeSources, actor: Actor, workspaces: readonly WorkspaceView[]) {
  const names = new Set(workspaces.map(({ organizationName }) => organizationName));
  const found = [...names].map((name) => organizations.find(actor, name, 'can-traverse'));
  return (await Promise.all(found)).map(organizationResource);
}

async function projectsOf({ projects }: IncludeSources, actor: Actor, workspaces: readonly WorkspaceView[]) {
  const ids = new Set(workspaces.map(({ projectId }) => projectId));
  return (await projects.readable(actor, [...ids])).map(projectResource);
}

async function holdersOf({ teams, users }: IncludeSources, actor: Actor, workspaces: readonly WorkspaceView[]) {
  const holders = workspaces.flatMap(({ lock }) => (lock === null ? [] : [lock.holder]));
  const idsOf = (type: string) => [...new Set(holders.filter((holder) => holder.type === type).map(({ id }) => id))];
  const [people, groups] = [idsOf('users'), idsOf('teams')];
  return [
    ...(people.length === 0 ? [] : await users.named(people)).map((user) => userResource(user, actor)),
    ...(groups.length === 0 ? [] : await teams.readable(actor, groups)).map(teamResource),
  ];
}
