import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import { type AgentActor, credentialText, type TenancyHooks } from '../../tenancy/index.ts';
import * as agentStore from './agent-store.ts';

/**
 * Who has come in by a certificate that an identity of a pool admits: an agent of that pool. What it does is a sign of life of the agent
 * that the request names, if that has registered with a certificate of the same name.
 */
export function certifiedAgents(database: Database, clock: Clock): TenancyHooks['agents']['certified'] {
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
