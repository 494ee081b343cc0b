import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { type AgentActor, type AgentAuthenticator, credentialText } from '../../tenancy/index.ts';
import * as agentStore from './agent-store.ts';

/**
 * Authenticates agents by a certificate that a machine identity of a pool accepts. A request counts as a heartbeat of
 * the agent that it names, if that agent registered with a certificate of this common name.
 */
export function certifiedAgents(database: Database, clock: Clock): AgentAuthenticator['certified'] {
  return async (machine, { identityId, agentPoolId, organizationId }, agentId): Promise<AgentActor> => {
    const of = { id: agentId, identityId, commonName: machine.commonName };
    const agent = agentId === '' ? undefined : await agentStore.findRegisteredAgent(database, of);
    if (agent !== undefined) await agentStore.updateLastSeen(database, agent.id, agent.lastPingAt, clock());
    const credential = credentialText({ kind: 'machine', reference: machine.reference, agentId: agent?.id ?? '' });
    return {
      kind: 'agent',
      ...{ holder: { tokenId: null, identityId, machine }, agentPoolId, organizationId, credential },
      agentId: agent?.id,
      job: undefined,
      grants: new Map(),
    };
  };
}
