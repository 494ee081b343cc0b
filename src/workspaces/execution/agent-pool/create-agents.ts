import type { Platform } from '../../platform/platform.ts';
import type { OtherTokens, Tenancy } from '../../tenancy/index.ts';
import { executionOf, type IncludeSource, type WorkspaceServices } from '../../workspace/index.ts';
import { AgentPools } from './agent-pools.ts';
import { AgentTokens } from './agent-tokens.ts';
import { Agents } from './agents.ts';
import { OwnAgents } from './own-agents.ts';
import { AgentPoolResource, AgentTokenResource } from './resource.ts';

/** Services for agents and pools. */
export interface AgentServices {
  readonly agentPools: AgentPools;
  readonly agentTokens: AgentTokens;
  readonly agents: Agents;
  /** The server's own agents. */
  readonly ownAgents: OwnAgents;
}

/** Creates the services. */
export function createAgents(
  { database, keyring, clock }: Platform,
  { authentication, organizations, projects }: Tenancy,
  { finder }: WorkspaceServices,
  hasOwnAgents: boolean,
): AgentServices {
  const agentPools = new AgentPools(database, clock, { organizations, projects, finder });
  const agentTokens = new AgentTokens(database, keyring, clock, agentPools);
  const ownAgents = new OwnAgents(database, keyring, clock, hasOwnAgents);
  const agents = new Agents(database, clock, agentPools, (...given) => authentication.recall(...given));
  return { agentPools, agentTokens, agents, ownAgents };
}

/** Returns the agent tokens as tokens that clients reach under the URL of all tokens. */
export function otherTokens(agentTokens: AgentTokens): OtherTokens {
  return {
    async shown(actor, id) {
      const token = await agentTokens.known(actor, id);
      return token && AgentTokenResource.document(token);
    },
    delete: (actor, id) => agentTokens.delete(actor, id),
  };
}

/** Returns the source of the agent pools that workspaces include. */
export function includedPools(agentPools: AgentPools): IncludeSource {
  return async (actor, workspaces) => {
    const ids = new Set(workspaces.flatMap((workspace) => executionOf(workspace).agentPoolId ?? []));
    return { resources: (await agentPools.readable(actor, [...ids])).map((one) => AgentPoolResource.document(one)) };
  };
}
