import { AppError } from '../../../lib/errors.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Machine } from './machine.ts';

/** Resources that a request concerns, for the audit trail of the organization. */
export interface RequestSubject {
  organizationId: string | undefined;
  workspaceId: string | undefined;
  projectId: string | undefined;
}

/** Organization that refuses the token of one of its members, with the reason. */
export interface RefusedIn {
  readonly name: string;
  /** Reason as the holder of the token sees it. */
  readonly reason: string;
}

interface KnownActor {
  /** Identifies the credential of the actor for links (`Authentication.recall`). Empty without a token. */
  readonly credential: string;
  readonly grants: Grants;
  /** Organizations that refuse this token, by id. The grants contain none of them. */
  readonly refusedIn?: ReadonlyMap<string, RefusedIn>;
  /** Subject of this request. Only present if the request is recorded in the audit trail. */
  readonly about?: RequestSubject;
}

/** User with their own token. */
export interface UserActor extends KnownActor {
  readonly kind: 'user';
  readonly id: string;
  readonly username: string;
  /** True for a site administrator. */
  readonly siteAdmin?: boolean;
}

/** Machine with a client certificate. In each organization that knows it, it acts for one team. */
export interface MachineActor extends KnownActor {
  readonly kind: 'machine';
  readonly machine: Machine;
}

/** Holder of a team token. Acts as the team. */
export interface TeamActor extends KnownActor {
  readonly kind: 'team';
  readonly teamId: string;
}

/**
 * Holder of an organization token. Manages workspaces, teams, members and variables, but not runs or states (see its
 * grant). `id` is the service account that is shown where a user is expected.
 */
export interface OrganizationActor extends KnownActor {
  readonly kind: 'organization';
  readonly id: string;
  readonly organizationId: string;
  /** True for the audit trail token: it may only read the audit trail. */
  readonly readsTrail: boolean;
}

/**
 * Credential of an agent: a token of its pool, a certificate that matches an identity of the pool, or a credential of
 * the server's own agents, which belong to no pool.
 */
export type AgentHolder =
  | { readonly tokenId: string; readonly identityId: null }
  | { readonly tokenId: null; readonly identityId: string; readonly machine: Machine }
  | { readonly tokenId: null; readonly identityId: null };

/** The two kinds of jobs. */
export type JobPhase = 'plan' | 'apply';

/**
 * Stage of a job: handed out (`taken`), started by its agent, or ended early by the server (`over`): its run was ended
 * a short time ago, or the credential of its agent was revoked. The state that its engine still writes is accepted.
 */
export type JobStage = 'taken' | 'started' | 'over';

/** Plan or apply that the token of a job is valid for. */
export interface JobRef {
  readonly phase: JobPhase;
  /** Decides which requests the token may make (job/job-rights.ts). */
  readonly stage: JobStage;
  /** Id of the plan or of the apply. */
  readonly phaseId: string;
  readonly runId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
  /**
   * Fencing token: number of the assignment of the run to an agent. After the run is assigned again or released, this
   * job has no access.
   */
  readonly fence: number;
  /** True for the token of the engine that executes the job: it only reads states. */
  readonly isReader: boolean;
}

/**
 * Agent. It claims jobs with its own credential and executes a job with the token of that job. It has no grants in
 * an organization: agent-access.ts and the routes of agents and jobs define its access.
 */
export interface AgentActor extends KnownActor {
  readonly kind: 'agent';
  readonly holder: AgentHolder;
  /** Pool of the agent. Null for the server's own agents, as is `organizationId`. */
  readonly agentPoolId: string | null;
  readonly organizationId: string | null;
  /** Job of the token; undefined for the agent itself. */
  readonly job: JobRef | undefined;
  /**
   * Registered agent that uses the token or certificate. Undefined if the request does not name an agent, or if the
   * agent is deleted.
   */
  readonly agentId: string | undefined;
}

/** External service of a run task. It reads the run, its configuration and its plan until it has sent its result. */
export interface TaskActor extends KnownActor {
  readonly kind: 'task';
  /** Id of the task result that the service sends. */
  readonly resultId: string;
  readonly runId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
}

/** Caller of a request. Every service method takes it as first parameter. */
export type Actor = UserActor | MachineActor | TeamActor | OrganizationActor | AgentActor | TaskActor;

/**
 * Records the subject of the request. The first value of each field is kept, because permissions are checked on the
 * first resource that a handler loads.
 */
export function noteSubject({ about }: Actor, found: Partial<RequestSubject>): void {
  if (about === undefined) return;
  about.organizationId ??= found.organizationId;
  about.workspaceId ??= found.workspaceId;
  about.projectId ??= found.projectId;
}

/**
 * Returns the actor's grants in the organization that the request is about.
 * @throws 404 if there are none; 401 for a member whose token the organization refuses
 */
export function grantIn(actor: Actor, organizationId: string): Grant {
  const grant = actor.grants.get(organizationId);
  if (grant === undefined) throw absence(actor.refusedIn?.get(organizationId));
  noteSubject(actor, { organizationId });
  return grant;
}

function absence(refused: RefusedIn | undefined): AppError {
  return refused === undefined ? notFound() : new AppError('unauthenticated', refused.reason);
}

/**
 * Refuses a token before anything in the organization is looked up, so that existing and missing resources get the
 * same response.
 * @throws 401
 */
export function requireTaken({ refusedIn = new Map() }: Actor, names: readonly unknown[]): void {
  for (const refused of refusedIn.values()) if (names.includes(refused.name)) throw absence(refused);
}

/** Returns the owner of the actor's actions: a user, an agent, or the team that the actor acts for. */
export function principalIn(actor: Actor, organizationId: string): Identifier {
  if (actor.kind === 'user' || actor.kind === 'organization') return { type: 'users', id: actor.id };
  if (actor.kind === 'agent') return { type: 'agents', id: agentOf(actor).agentId };
  const [team] = grantIn(actor, organizationId).teamIds;
  if (team === undefined) throw notFound();
  return { type: 'teams', id: team };
}

/** Returns the name by which searches find what the actor creates; empty if the actor has none. */
export function nameOfActor(actor: Actor): string {
  if (actor.kind === 'user') return actor.username;
  return actor.kind === 'machine' ? (actor.machine.commonName ?? '') : '';
}

/** Returns whether the id is the actor's principal in any organization. */
export function isPrincipal(actor: Actor, id: string): boolean {
  if (actor.kind === 'user' || actor.kind === 'organization') return actor.id === id;
  if (actor.kind === 'agent') return actor.agentId === id;
  return [...actor.grants.values()].some(({ teamIds }) => teamIds.includes(id));
}

/** Returns the actor if it is a user. Accounts and personal tokens do not exist for other actors. */
export function userOf(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw notFound();
  return actor;
}

/**
 * Returns the actor if it is a registered agent.
 * @throws 404 for other actors
 */
function agentOf(actor: Actor): AgentActor & { readonly agentId: string } {
  if (actor.kind !== 'agent' || actor.agentId === undefined) throw notFound();
  return { ...actor, agentId: actor.agentId };
}

/**
 * Checks that a permission is granted.
 * @throws 404 unless the permission is one of `permissions`
 */
export function requirePermission<Key extends string>(
  permissions: Readonly<Record<Key, boolean>>,
  key: NoInfer<Key>,
): void {
  if (!permissions[key]) throw notFound();
}

/**
 * Returns the actor if it is a site administrator.
 * @throws 404 for other actors
 */
export function assertSiteAdmin(actor: Actor): UserActor {
  if (actor.kind !== 'user' || !actor.siteAdmin) throw notFound();
  return actor;
}
