import type { Platform } from '../platform/platform.ts';
import type { AgentAuthenticator } from '../tenancy/index.ts';
import { isAgentToken } from './agent-pool/agent-tokens.ts';
import { certifiedAgents } from './agent-pool/certified-agents.ts';
import type { AgentServices } from './agent-pool/create-agents.ts';
import { OwnAgents } from './agent-pool/own-agents.ts';
import { JobTokens } from './job/job-tokens.ts';
import { isCallbackToken } from './task-stage/callback-token.ts';
import type { TaskCallbacks } from './task-stage/callbacks.ts';

/**
 * Authenticates agents by the prefix of their token: pool token, token of the server's own agents, or job token.
 * Authenticates run task services by their callback token, too.
 */
export function agentsLetIn(
  { database, clock }: Platform,
  { agentTokens, ownAgents }: AgentServices,
  jobTokens: JobTokens,
  taskCallbacks: TaskCallbacks,
): AgentAuthenticator {
  return {
    knows: (text) => isAgentToken(text) || isCallbackToken(text) || JobTokens.knows(text) || OwnAgents.knows(text),
    async admit(text, agentId, remoteAddress) {
      if (isCallbackToken(text)) return taskCallbacks.actor(text);
      if (JobTokens.knows(text)) return jobTokens.authenticate(text, remoteAddress);
      return OwnAgents.knows(text) ? ownAgents.authenticate(text, agentId) : agentTokens.admit(text, agentId);
    },
    certified: certifiedAgents(database, clock),
    recall: (tokenId, agentId, since) => agentTokens.recall(tokenId, agentId, since),
    recallOwn: (agentId) => ownAgents.recall(agentId),
    recallJob: (credential, remoteAddress) => jobTokens.recall(credential, remoteAddress),
  };
}
