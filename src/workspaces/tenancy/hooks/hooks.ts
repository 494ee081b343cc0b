import type { Transaction } from '../../../storage/index.ts';
import type { Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor, AgentActor, TaskActor } from '../permissions/actor.ts';
import type { Machine } from '../permissions/machine.ts';

/** Where agent pools are kept. */
export interface AgentPools {
  /** Whether the organization has that pool. */
  exists(organizationId: string, id: string): Promise<boolean>;
  /** For those who decide what it is. @throws 404 when there is none, or the actor may not */
  manage(actor: Actor, id: string): Promise<{ readonly organizationId: string }>;
}

/** The machine identity of an agent pool, by which somebody with a certificate is an agent of it. */
export interface PoolIdentity {
  readonly identityId: string;
  readonly agentPoolId: string;
  readonly organizationId: string;
}

/** Of the taking of a job: of whoever carries it out, or of the engine. */
export interface JobCredential {
  readonly kind: 'job' | 'job-reader';
  readonly phaseId: string;
  readonly fence: number;
}

/** Who knows agents, and services that are asked about runs. */
export interface AgentAuthenticator {
  /** Whether the text is meant to be a token of theirs. */
  knows(text: string): boolean;
  /**
   * Undefined for one that lets nobody in; the reason, for its holder, where one was proved and opens nothing any more. `agentId` is
   * which of its agents the request says it comes from.
   */
  admit(text: string, agentId: string, remoteAddress: string): Promise<AgentActor | TaskActor | string | undefined>;
  /** An agent that came in by certificate. `agentId` is which one of its pool it says that it is. */
  certified(machine: Machine, identity: PoolIdentity, agentId: string): Promise<AgentActor>;
  /** The same of somebody who was let in before, by the id of the token; it may have expired, after `since`. */
  recall(tokenId: string, agentId: string, since: number): Promise<AgentActor | undefined>;
  /** The same of one of the installation's own. */
  recallOwn(agentId: string): Promise<AgentActor | undefined>;
  /** The same of whoever carries out that plan or apply, as long as it does. */
  recallJob(credential: JobCredential, remoteAddress: string): Promise<AgentActor | undefined>;
}

/** Tokens that are not people's, teams' or organizations', and are reached under the same address. */
export interface OtherTokens {
  /** Undefined when none of them has that id. @throws 404 when the actor may not see it */
  shown(actor: Actor, id: string): Promise<Resource | undefined>;
  /** @throws 404 when there is none, or the actor may not */
  delete(actor: Actor, id: string): Promise<void>;
}

/** What other domains keep of a workspace apart from its rows. */
export interface WorkspaceCleanup {
  /** Removes some of it, outside of any unit of work. Called again until it returns true: there is no more. */
  purge?(workspaceId: string): Promise<boolean>;
}

/**
 * Where the wings above take part in tenancy. Filled while the parts are put together, before any request; what nobody fills
 * knows nothing and lets nobody in.
 */
export class TenancyHooks {
  agentPools: AgentPools = { exists: async () => false, manage: refuse };
  agents: AgentAuthenticator = {
    knows: () => false,
    admit: async () => undefined,
    certified: refuse,
    recall: async () => undefined,
    recallOwn: async () => undefined,
    recallJob: async () => undefined,
  };
  /** Whether somebody can carry out the runs of that organization, other than whoever starts them. */
  executes: (organizationId: string) => Promise<boolean> = async () => false;
  /** Told of a new organization, in the same unit of work. */
  readonly onCreated: ((tx: Transaction, organizationId: string) => Promise<void>)[] = [];
  otherTokens: OtherTokens = { shown: async () => undefined, delete: refuse };
  /** Of the workspaces of an organization that is removed. */
  workspaceCleanups: readonly WorkspaceCleanup[] = [];
}

async function refuse(): Promise<never> {
  throw notFound();
}
