import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import { type Agent, statusOf } from './agent.ts';
import type { PoolLink, PoolView } from './agent-pool.ts';
import type { AgentToken } from './agent-tokens.ts';

/** Returns the document of a pool for the caller. */
export function poolResource(pool: PoolView): Resource {
  const self = `/api/v2/agent-pools/${pool.id}`;
  const many = (kind: PoolLink['kind'], type: string) => ({
    data: pool.links.filter((link) => link.kind === kind).map(({ target }) => ({ type, id: target })),
  });
  return {
    id: pool.id,
    type: 'agent-pools',
    attributes: {
      name: pool.name,
      'created-at': isoTime(pool.createdAt),
      'organization-scoped': pool.organizationScoped === 1,
      'agent-count': pool.agentCount,
    },
    relationships: {
      organization: toOne('organizations', pool.organizationName),
      agents: linked(`${self}/agents`),
      'authentication-tokens': linked(`${self}/authentication-tokens`),
      workspaces: many('workspaces', 'workspaces'),
      'allowed-workspaces': many('allowed-workspaces', 'workspaces'),
      'excluded-workspaces': many('excluded-workspaces', 'workspaces'),
      'allowed-projects': many('allowed-projects', 'projects'),
    },
    links: { self },
  };
}

/** Returns the document of an agent at this time. */
export function agentResource(agent: Agent, now: number): Resource {
  return {
    id: agent.id,
    type: 'agents',
    attributes: {
      name: agent.name,
      status: statusOf(agent, now),
      'ip-address': agent.ipAddress,
      engines: agent.engines,
      'any-engine': agent.anyEngine,
      'last-ping-at': isoTime(agent.lastPingAt),
      'created-at': isoTime(agent.createdAt),
    },
    relationships: { 'agent-pool': toOne('agent-pools', agent.agentPoolId), run: toOne('runs', agent.shownRunId) },
    links: { self: `/api/v2/agents/${agent.id}` },
  };
}

/** Returns the document of a token. `text` is set only when the token was just created. */
export function agentTokenResource(token: AgentToken, text: string | null = null): Resource {
  return {
    id: token.id,
    type: 'authentication-tokens',
    attributes: {
      token: text,
      description: token.description,
      'created-at': isoTime(token.createdAt),
      'last-used-at': token.lastUsedAt === null ? null : isoTime(token.lastUsedAt),
      'expired-at': token.expiresAt === null ? null : isoTime(token.expiresAt),
    },
    relationships: { 'created-by': toOne(token.createdByType, token.createdById) },
  };
}
