import type { AgentPools } from '../../execution/agent-pool/agent-pools.ts';
import { poolResource } from '../../execution/agent-pool/document.ts';
import { organizationResource } from '../../tenancy/organization/document.ts';
import type { Organizations } from '../../tenancy/organization/organizations.ts';
import { projectResource } from '../../tenancy/project/document.ts';
import type { Projects } from '../../tenancy/project/projects.ts';
import { teamResource } from '../../tenancy/team/document.ts';
import type { Teams } from '../../tenancy/team/teams.ts';
import { userResource } from '../../tenancy/user/document.ts';
import type { Users } from '../../tenancy/user/users.ts';
import type { IncludeSource, WorkspaceExtensions } from '../hooks.ts';
import { keyResource } from '../ssh-key/document.ts';
import type { SshKeys } from '../ssh-key/ssh-keys.ts';
import { executionOf } from '../workspace/workspace.ts';

/** Whom to ask for what is included. */
export interface IncludeSources {
  readonly agentPools: AgentPools;
  readonly sshKeys: SshKeys;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly teams: Teams;
  readonly users: Users;
}

/** What can be included of a workspace's surroundings. Runs, states and variables bring what is theirs themselves. */
export function includeSurroundings({ includes }: WorkspaceExtensions, sources: IncludeSources): void {
  includes.set('agent_pool', agentPool(sources));
  includes.set('locked_by', holders(sources));
  includes.set('organization', organization(sources));
  includes.set('project', project(sources));
  includes.set('ssh_key', sshKey(sources));
}

function agentPool({ agentPools }: IncludeSources): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.flatMap((workspace) => executionOf(workspace).agentPoolId ?? []));
    return { resources: (await agentPools.readable(actor, [...ids])).map((one) => poolResource(one)) };
  };
}

function sshKey({ sshKeys }: IncludeSources): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.flatMap(({ sshKeyId }) => sshKeyId ?? []));
    return { resources: (await sshKeys.readable(actor, [...ids])).map((one) => keyResource(one)) };
  };
}

function organization({ organizations }: IncludeSources): IncludeSource {
  return async (actor, workspaces) => {
    const names = new Set(workspaces.map(({ organizationName }) => organizationName));
    const found = [...names].map((name) => organizations.find(actor, name, 'can-traverse'));
    return { resources: (await Promise.all(found)).map((one) => organizationResource(one)) };
  };
}

function project({ projects }: IncludeSources): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.map(({ projectId }) => projectId));
    return { resources: (await projects.readable(actor, [...ids])).map((one) => projectResource(one)) };
  };
}

/** Users and teams. */
function holders({ teams, users }: IncludeSources): IncludeSource {
  return async (actor, workspaces) => {
    const all = workspaces.flatMap(({ lock }) => (lock === null ? [] : [lock.holder]));
    const idsOf = (type: string) => [...new Set(all.filter((holder) => holder.type === type).map(({ id }) => id))];
    const [people, groups] = [idsOf('users'), idsOf('teams')];
    const resources = [
      ...(people.length === 0 ? [] : await users.named(people)).map((user) => userResource(user, actor)),
      ...(groups.length === 0 ? [] : await teams.readable(actor, groups)).map((team) => teamResource(team)),
    ];
    return { resources };
  };
}
