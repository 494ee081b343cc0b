import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import { bearerToken } from '../../../lib/secret/bearer.ts';
import { apiOfToken } from '../../../lib/secret/token-api.ts';
import { type Actor, requireTaken } from '../permissions/actor.ts';
import type { Machine } from '../permissions/machine.ts';
import { ACTOR } from '../permissions/request-actor.ts';
import type { Authentication } from './authentication.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Prefetch: reads data of the route while the token is looked up, for the actor that last used the token. No data
     * is returned before the token is authenticated. The request is not validated yet.
     */
    readonly prefetch?: (request: FastifyRequest, last: Actor) => void;
  }
}

/**
 * Runs before the body is read.
 * @throws 401 for a missing or unknown token, with the same text for both, and with the reason for a valid token that
 * has no access any more; 400 for two tokens
 */
export function authenticationHook(authentication: Authentication) {
  return async (request: FastifyRequest): Promise<void> => {
    const token = bearerToken(request);
    const looked = token && authentication.admit(token, request.peer.address, agentIdOf(request));
    // An unknown token costs only one look-up, without a prefetch.
    const { prefetch } = request.routeOptions.config;
    const last = looked && prefetch && authentication.lastOf(token);
    if (last) prefetch(request, last);
    const actor = looked && (await looked);
    if (!actor || typeof actor === 'string') throw new AppError('unauthenticated', actor || unknownText(token));
    requireTaken(actor, organizationsOf(request));
    request.setDecorator(ACTOR, actor);
    request.event.add(eventOf(actor));
  };
}

const UNKNOWN = 'The token is missing, unknown or expired';
const OF_ACCESS_API =
  'The token is one of the access API: unknown or expired there, or not of a machine that acts for a team. ' +
  'Tokens of users of the workspace API begin with lku.';

/** Depends on the prefix alone, so it reveals nothing about a token. */
function unknownText(token: string | undefined): string {
  return token !== undefined && apiOfToken(token) === 'access' ? OF_ACCESS_API : UNKNOWN;
}

/** Returns the names of organizations in the path and the query. */
function organizationsOf({ params, query }: FastifyRequest): unknown[] {
  const { organization_name: inPath } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const { 'filter[organization][name]': inQuery } = (query ?? {}) as Readonly<Record<string, unknown>>;
  return [inPath, inQuery];
}

/** Returns the id of the agent: several agents may share a token. */
function agentIdOf({ headers }: FastifyRequest): string {
  return [headers['agent-id']].flat()[0] ?? '';
}

/** Returns the fields that identify the actor in the log and the audit log. */
export function eventOf(actor: Actor): Record<string, unknown> {
  const teams = [...actor.grants.values()].flatMap(({ teamIds }) => teamIds);
  const team = teams.length === 0 ? {} : { actor_team: teams.join(',') };
  if (actor.kind === 'task') return { actor_kind: 'run-task', actor_id: actor.resultId };
  if (actor.kind === 'team') return { actor_kind: 'team', actor_id: actor.teamId };
  if (actor.kind === 'organization') return { actor_kind: 'organization', actor_id: actor.organizationId };
  if (actor.kind === 'user') return { actor_kind: 'user', actor_id: actor.id, actor_name: actor.username, ...team };
  if (actor.kind === 'agent') {
    const { agentId, agentPoolId, holder } = actor;
    return {
      ...(holder.identityId !== null && machineEvent(holder.machine)),
      actor_kind: 'agent',
      actor_id: agentId ?? holder.tokenId ?? holder.identityId,
      ...(agentPoolId !== null && { actor_agent_pool: agentPoolId }),
      ...(actor.job && { actor_job: actor.job.phaseId, actor_run: actor.job.runId }),
    };
  }
  return { actor_kind: 'machine', actor_id: actor.machine.accessor, ...machineEvent(actor.machine), ...team };
}

/** Returns the fields of the machine's certificate. */
function machineEvent(machine: Machine): Record<string, unknown> {
  return {
    actor_name: machine.commonName,
    actor_mount: machine.mount,
    actor_role: machine.role,
    actor_subject: machine.subject,
    actor_serial: machine.serialNumber,
    actor_accessor: machine.accessor,
  };
}
