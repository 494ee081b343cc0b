import type { Platform } from '../../platform/platform.ts';
import type { Tenancy } from '../../tenancy/index.ts';
import { executionOf, type IncludeSource, type WorkspaceServices } from '../../workspace/index.ts';
import { AgentPools } from './agent-pools.ts';
import { AgentTokens } from './agent-tokens.ts';
import { Agents } from './agents.ts';
import { agentTokenResource, poolResource } from './document.ts';
import { OwnAgents } from './own-agents.ts';

/** Services for agents and pools. */
export interface AgentServices {
  readonly agentPools: AgentPools;
  readonly agentTokens: AgentTokens;
  readonly agents: Agents;
  /** The server's own agents. */
  readonly ownAgents: OwnAgents;
}

/** Creates the services and registers the authentication of agents. */
export function createAgents(
  { database, keyring, clock }: Platform,
  tenancy: Tenancy,
  workspace: WorkspaceServices,
  hasOwnAgents: boolean,
): AgentServices {
  const { organizations, projects } = tenancy;
  const agentPools = new AgentPools(database, clock, { organizations, projects, finder: workspace.finder });
  const agentTokens = new AgentTokens(database, keyring, clock, agentPools);
  tenancy.hooks.agentPools = agentPools;
  const ownAgents = new OwnAgents(database, keyring, clock, hasOwnAgents);
  tenancy.hooks.otherTokens = {
    async shown(actor, id) {
      const token = await agentTokens.known(actor, id);
      return token && agentTokenResource(token);
    },
    delete: (actor, id) => agentTokens.delete(actor, id),
  };
  workspace.hooks.references.agentPools = agentPools;
  workspace.hooks.includes.set('agent_pool', includedPools(agentPools));
  return { agentPools, agentTokens, agents: new Agents(database, clock, agentPools), ownAgents };
}

function includedPools(agentPools: AgentPools): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.flatMap((workspace) => executionOf(workspace).agentPoolId ?? []));
    return { resources: (await agentPools.readable(actor, [...ids])).map((one) => poolResource(one)) };
  };
}
