import type { Transaction } from '../../../storage/index.ts';
import type { Identifier, Resource } from '../../jsonapi/document.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor, AgentActor, TaskActor } from '../permissions/actor.ts';
import type { Machine } from '../permissions/machine.ts';

/** Agent pools, managed by another module. */
export interface AgentPools {
  /** Returns whether the organization has the pool. */
  exists(organizationId: string, id: string): Promise<boolean>;
  /**
   * Returns the pool for an actor that manages it.
   * @throws 404 if the pool does not exist, or without permission
   */
  manage(actor: Actor, id: string): Promise<{ readonly organizationId: string }>;
}

/** Machine identity that makes a machine with a certificate an agent of a pool. */
export interface PoolIdentity {
  readonly identityId: string;
  readonly agentPoolId: string;
  readonly organizationId: string;
}

/** Credential of an assigned job: of its agent or of its engine. */
export interface JobCredential {
  readonly kind: 'job' | 'job-reader';
  readonly phaseId: string;
  readonly fence: number;
}

/** Authenticates agents and run task services. */
export interface AgentAuthenticator {
  /** Returns whether the text has the format of one of their tokens. */
  knows(text: string): boolean;
  /**
   * Authenticates a token. Returns undefined if it is invalid. For the holder of a valid token without access, returns
   * the reason. `agentId` is the agent that the request names.
   */
  admit(text: string, agentId: string, remoteAddress: string): Promise<AgentActor | TaskActor | string | undefined>;
  /**
   * Returns the agent for a machine that logged in with a certificate. `agentId` is the agent of the pool that the
   * request names.
   */
  certified(machine: Machine, identity: PoolIdentity, agentId: string): Promise<AgentActor>;
  /** Like `admit` for an earlier authentication, by the id of the token. The token may have expired after `since`. */
  recall(tokenId: string, agentId: string, since: number): Promise<AgentActor | undefined>;
  /** Like `recall` for one of the server's own agents. */
  recallOwn(agentId: string): Promise<AgentActor | undefined>;
  /** Like `recall` for the agent of that plan or apply, while it executes the job. */
  recallJob(credential: JobCredential, remoteAddress: string): Promise<AgentActor | undefined>;
}

/** Tokens of other owners that clients reach under the same URL. */
export interface OtherTokens {
  /**
   * Finds a token. Returns undefined if no such token has the id.
   * @throws 404 without permission
   */
  shown(actor: Actor, id: string): Promise<Resource | undefined>;
  /**
   * Deletes the token.
   * @throws 404 if it does not exist, or without permission
   */
  delete(actor: Actor, id: string): Promise<void>;
}

/** Cleanup of data that other modules store outside of the workspace's rows. */
export interface WorkspaceCleanup {
  /** Deletes a part of the data, outside of a transaction. Called again until it returns true, when none is left. */
  purge?(workspaceId: string): Promise<boolean>;
}

/** Deletes a part of an organization's data, outside of a transaction. Called again until it returns true: none is left. */
export type OrganizationCleanup = (organizationId: string) => Promise<boolean>;

/** The part of modules above tenancy in organizations and their tokens. */
export interface TenancyExtension {
  readonly agentPools?: AgentPools;
  readonly agents?: AgentAuthenticator;
  /** Returns whether an agent can execute runs of the organization. */
  readonly executes?: (organizationId: string) => Promise<boolean>;
  readonly otherTokens?: OtherTokens;
  /** Cleanups for the workspaces of an organization that is removed. */
  readonly workspaceCleanups?: readonly WorkspaceCleanup[];
  /** Cleanup of an organization that is removed, after that of its workspaces. */
  readonly organizationCleanup?: OrganizationCleanup;
  /** Called in the transaction that creates an organization. */
  readonly onCreated?: (tx: Transaction, organizationId: string) => Promise<void>;
  /** Called in the transaction that changes how workspaces of a project are destroyed automatically. */
  readonly onAutoDestroyChanged?: (tx: Transaction, projectId: string, by: Identifier) => Promise<void>;
}

/**
 * Hooks that modules above tenancy fill by `extend` during wiring, before the first request. By default there are no
 * pools, and no agent is authenticated.
 */
export class TenancyHooks {
  #extension: Required<TenancyExtension> = {
    agentPools: { exists: async () => false, manage: refuse },
    agents: {
      knows: () => false,
      admit: async () => undefined,
      certified: refuse,
      recall: async () => undefined,
      recallOwn: async () => undefined,
      recallJob: async () => undefined,
    },
    executes: async () => false,
    otherTokens: { shown: async () => undefined, delete: refuse },
    workspaceCleanups: [],
    organizationCleanup: async () => true,
    onCreated: async () => {},
    onAutoDestroyChanged: async () => {},
  };

  extend(extension: TenancyExtension): void {
    this.#extension = { ...this.#extension, ...extension };
  }

  get agentPools(): AgentPools {
    return this.#extension.agentPools;
  }

  get agents(): AgentAuthenticator {
    return this.#extension.agents;
  }

  get executes() {
    return this.#extension.executes;
  }

  get otherTokens(): OtherTokens {
    return this.#extension.otherTokens;
  }

  get workspaceCleanups(): readonly WorkspaceCleanup[] {
    return this.#extension.workspaceCleanups;
  }

  get organizationCleanup(): OrganizationCleanup {
    return this.#extension.organizationCleanup;
  }

  get onCreated() {
    return this.#extension.onCreated;
  }

  get onAutoDestroyChanged() {
    return this.#extension.onAutoDestroyChanged;
  }
}

async function refuse(): Promise<never> {
  throw notFound();
}
