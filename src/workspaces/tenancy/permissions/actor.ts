import { AppError } from '../../../lib/errors.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Grant, Grants } from './grants.ts';
import type { Machine } from './machine.ts';

/** What a request turned out to be about, for the audit trail of the organization. */
export interface RequestSubject {
  organizationId: string | undefined;
  workspaceId: string | undefined;
  projectId: string | undefined;
}

/** An organization that does not take the token of one of its members, and why. */
export interface RefusedIn {
  readonly name: string;
  /** For the holder of the token. */
  readonly reason: string;
}

interface KnownActor {
  /** Names what the actor came in by, for links (`Authentication.recall`); empty for somebody without a token. */
  readonly credential: string;
  readonly grants: Grants;
  /** The organizations of the actor that do not take this token, by their ids: none of them is among the grants. */
  readonly refusedIn?: ReadonlyMap<string, RefusedIn>;
  /** Of the one request; there where it is of interest. */
  readonly about?: RequestSubject;
}

/** Somebody with a token of their own. */
export interface UserActor extends KnownActor {
  readonly kind: 'user';
  readonly id: string;
  readonly username: string;
  /** Sets the installation up. */
  readonly siteAdmin?: boolean;
}

/** A machine acts for one team in each organization that knows it. */
export interface MachineActor extends KnownActor {
  readonly kind: 'machine';
  readonly machine: Machine;
}

/** Whoever holds a token of a team acts as that team. */
export interface TeamActor extends KnownActor {
  readonly kind: 'team';
  readonly teamId: string;
}

/**
 * Whoever holds the token of an organization sets it up: workspaces, teams, members, variables. It carries nothing out:
 * no runs and no states (its grant says so). `id` is the service account that stands for it where a user is shown.
 */
export interface OrganizationActor extends KnownActor {
  readonly kind: 'organization';
  readonly id: string;
  readonly organizationId: string;
  /** That of the audit trail is granted nothing but this, and it shows no other token. */
  readonly readsTrail: boolean;
}

/**
 * What an agent came in by: a token of its pool, a certificate, which an identity of the pool lets in, or what the installation gives
 * its own agents, who are of no pool.
 */
export type AgentHolder =
  | { readonly tokenId: string; readonly identityId: null }
  | { readonly tokenId: null; readonly identityId: string; readonly machine: Machine }
  | { readonly tokenId: null; readonly identityId: null };

/** The two kinds of jobs. */
export type JobPhase = 'plan' | 'apply';

/**
 * Stage of a job: handed out (`taken`), started by its agent, or ended early by the server (`over`): its run was ended
 * a moment ago, or the credential of its agent was revoked. The state that its engine still writes is accepted.
 */
export type JobStage = 'taken' | 'started' | 'over';

/** The plan or apply that the token of a job is for, and nothing else. */
export interface JobRef {
  readonly phase: JobPhase;
  /** Decides which requests the token may make (job/job-rights.ts). */
  readonly stage: JobStage;
  /** Of the plan or the apply. */
  readonly phaseId: string;
  readonly runId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
  /** Which taking of the run it comes of: once it is taken again, or given up, this one opens nothing. */
  readonly fence: number;
  /** Of the engine that carries it out: it reads states, and nothing else. */
  readonly isReader: boolean;
}

/**
 * An agent: by itself it asks for jobs, and with the token of a job it carries that out. It is granted nothing in any organization: what
 * is there for agents says so itself (agent-access.ts, and the routes of agents and jobs).
 */
export interface AgentActor extends KnownActor {
  readonly kind: 'agent';
  readonly holder: AgentHolder;
  /** Null for one of the installation's own, like the next. */
  readonly agentPoolId: string | null;
  readonly organizationId: string | null;
  /** Undefined for the agent itself. */
  readonly job: JobRef | undefined;
  /** Which of the agents that registered with the token or the certificate it is; undefined for one that has not said so, or is gone. */
  readonly agentId: string | undefined;
}

/** A service that was asked what it thinks of a run: it reads that run, its configuration and its plan, until it has said so. */
export interface TaskActor extends KnownActor {
  readonly kind: 'task';
  /** What it is to fill in. */
  readonly resultId: string;
  readonly runId: string;
  readonly workspaceId: string;
  readonly configurationVersionId: string;
}

/** Who asks. Every service method takes one first. */
export type Actor = UserActor | MachineActor | TeamActor | OrganizationActor | AgentActor | TaskActor;

/** Notes what the request is about. What was found first stays: whoever wants something is asked about that before anything else. */
export function noteSubject({ about }: Actor, found: Partial<RequestSubject>): void {
  if (about === undefined) return;
  about.organizationId ??= found.organizationId;
  about.workspaceId ??= found.workspaceId;
  about.projectId ??= found.projectId;
}

/**
 * Returns the actor's grants in the organization that the request is about.
 * @throws 404 when that is nothing at all; 401 for a member whose token the organization does not take
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
 * Refuses a token by the name of the organization before anything in it is looked up: what is there and what is not look alike.
 * @throws 401
 */
export function requireTaken({ refusedIn = new Map() }: Actor, names: readonly unknown[]): void {
  for (const refused of refusedIn.values()) if (names.includes(refused.name)) throw absence(refused);
}

/** Whom what the actor does belongs to: a user, an agent, or the team that somebody acts for. */
export function principalIn(actor: Actor, organizationId: string): Identifier {
  if (actor.kind === 'user' || actor.kind === 'organization') return { type: 'users', id: actor.id };
  if (actor.kind === 'agent') return { type: 'agents', id: agentOf(actor).agentId };
  const [team] = grantIn(actor, organizationId).teamIds;
  if (team === undefined) throw notFound();
  return { type: 'teams', id: team };
}

/** Whether what belongs to that principal, in any organization, is the actor's. */
export function isPrincipal(actor: Actor, id: string): boolean {
  if (actor.kind === 'user' || actor.kind === 'organization') return actor.id === id;
  if (actor.kind === 'agent') return actor.agentId === id;
  return [...actor.grants.values()].some(({ teamIds }) => teamIds.includes(id));
}

/** What only people have (an account, tokens of their own) does not exist for anybody else. */
export function userOf(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw notFound();
  return actor;
}

/** What is there for registered agents alone. @throws 404 for anybody else */
function agentOf(actor: Actor): AgentActor & { readonly agentId: string } {
  if (actor.kind !== 'agent' || actor.agentId === undefined) throw notFound();
  return { ...actor, agentId: actor.agentId };
}

/** @throws 404 unless the permission is among those given. */
export function requirePermission<Key extends string>(
  permissions: Readonly<Record<Key, boolean>>,
  key: NoInfer<Key>,
): void {
  if (!permissions[key]) throw notFound();
}

/** @throws 404 for whoever does not run the installation */
export function assertSiteAdmin(actor: Actor): UserActor {
  if (actor.kind !== 'user' || !actor.siteAdmin) throw notFound();
  return actor;
}
