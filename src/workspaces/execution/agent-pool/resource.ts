import { Type } from 'typebox';
import { nullable, text, timestamp } from '../../jsonapi/schema.ts';
import {
  attribute,
  is,
  link,
  optional,
  relationship,
  required,
  resourceOf,
  time,
  timeOrNull,
  toMany,
  toOne,
} from '../../resource/index.ts';
import { AGENT_STATUSES, type Agent, REPORTED, statusOf } from './agent.ts';
import type { PoolLink, PoolView } from './agent-pool.ts';
import type { AgentToken } from './agent-tokens.ts';

/** Declares a relationship to the targets of these links. */
const many = (kind: PoolLink['kind'], type: 'projects' | 'workspaces') =>
  toMany(type, ({ links }: PoolView) => links.filter((one) => one.kind === kind).map(({ target }) => target));

/** An agent pool. */
export const AgentPoolResource = resourceOf<PoolView>()('agent-pools', {
  attributes: {
    name: attribute(is.text, 'name', required(text(90))),
    'created-at': time('createdAt'),
    'organization-scoped': attribute(
      is.flag,
      ({ organizationScoped }) => organizationScoped === 1,
      optional(nullable(Type.Boolean())),
    ),
    'agent-count': attribute(is.integer, 'agentCount'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    agents: link(({ id }) => `/api/v2/agent-pools/${id}/agents`),
    'authentication-tokens': link(({ id }) => `/api/v2/agent-pools/${id}/authentication-tokens`),
    workspaces: many('workspaces', 'workspaces'),
    'allowed-workspaces': many('allowed-workspaces', 'workspaces'),
    'excluded-workspaces': many('excluded-workspaces', 'workspaces'),
    'allowed-projects': many('allowed-projects', 'projects'),
  },
  links: ({ id }) => ({ self: `/api/v2/agent-pools/${id}` }),
});

/** An agent at a time, in milliseconds since 1970. Agents register themselves and report their status. */
export const AgentResource = resourceOf<Agent, [now: number]>()('agents', {
  attributes: {
    name: attribute(is.text, 'name', { create: text(90) }),
    status: attribute(Type.Enum([...AGENT_STATUSES]), statusOf, { update: Type.Enum([...REPORTED]) }),
    'ip-address': attribute(is.text, 'ipAddress'),
    engines: attribute(is.texts, 'engines', { create: Type.Optional(Type.Array(text(100), { maxItems: 100 })) }),
    'any-engine': attribute(is.flag, 'anyEngine', { create: Type.Optional(Type.Boolean()) }),
    'last-ping-at': time('lastPingAt'),
    'created-at': time('createdAt'),
  },
  relationships: { 'agent-pool': toOne('agent-pools', 'agentPoolId'), run: toOne('runs', 'shownRunId') },
  links: ({ id }) => ({ self: `/api/v2/agents/${id}` }),
});

/** A token of an agent pool. Its text is set only when the token was just created. */
export const AgentTokenResource = resourceOf<AgentToken, [text?: string]>()('authentication-tokens', {
  attributes: {
    token: attribute(is.textOrNull, (_token, text) => text ?? null),
    description: attribute(is.text, 'description', { create: text(255) }),
    'created-at': time('createdAt'),
    'last-used-at': timeOrNull('lastUsedAt'),
    'expired-at': timeOrNull('expiresAt', { create: Type.Optional(nullable(timestamp)) }),
  },
  relationships: {
    'created-by': relationship(is.toOne(), ({ createdByType, createdById }) => ({
      data: { type: createdByType, id: createdById },
    })),
  },
});
