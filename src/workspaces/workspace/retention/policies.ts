import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Actor, Organizations, WorkspacePermission } from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { RetentionPolicy } from './policy.ts';
import type { PolicyInput } from './resource.ts';
import { nextPolicySettings } from './rules.ts';
import type { PolicyTarget } from './store.ts';
import * as store from './store.ts';

/** A policy, and whether it was created. */
export interface SetPolicyResult {
  readonly policy: RetentionPolicy;
  readonly created: boolean;
}

/** The workspace columns that policies need. */
export interface Placed {
  readonly id: string;
  readonly organizationId: string;
}

/** Columns about retention in the document of a workspace. */
export interface PolicyInEffect {
  /** Own policy of the workspace; undefined if it inherits the organization's policy. */
  readonly own: RetentionPolicy | undefined;
  readonly effective: RetentionPolicy;
}

/**
 * Manages retention policies: how long workspaces keep data that grows over time (spec §4.11; facts §1.13).
 */
export class RetentionPolicies {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #organizations: Organizations;
  readonly #finder: WorkspaceFinder;

  constructor(database: Database, clock: Clock, organizations: Organizations, finder: WorkspaceFinder) {
    this.#database = database;
    this.#clock = clock;
    this.#organizations = organizations;
    this.#finder = finder;
  }

  /** Returns the workspace's own policy, or else its organization's. @throws 404 when neither has one */
  async ofWorkspace(actor: Actor, id: string): Promise<RetentionPolicy> {
    const target = await this.#workspace(actor, id, 'can-read-settings');
    const own = await store.findPolicy(this.#database, target);
    return own ?? found(await store.findPolicy(this.#database, { ...target, workspaceId: null }));
  }

  /**
   * Sets the workspace's own policy.
   * @throws 422 for input that breaks a rule
   */
  async setOfWorkspace(actor: Actor, id: string, input: PolicyInput): Promise<SetPolicyResult> {
    return this.#set(await this.#workspace(actor, id, 'can-update'), input);
  }

  /** Removes the workspace's own policy. The organization's then applies. */
  async removeOfWorkspace(actor: Actor, id: string): Promise<void> {
    await this.#remove(await this.#workspace(actor, id, 'can-update'));
  }

  /**
   * Returns the organization's policy.
   * @throws 404 when there is none
   */
  async ofOrganization(actor: Actor, name: string): Promise<RetentionPolicy> {
    const { id } = await this.#organizations.find(actor, name, 'can-traverse');
    return found(await store.findPolicy(this.#database, { organizationId: id, workspaceId: null }));
  }

  /**
   * Sets the organization's policy.
   * @throws 422 for input that breaks a rule
   */
  async setOfOrganization(actor: Actor, name: string, input: PolicyInput): Promise<SetPolicyResult> {
    const { id } = await this.#organizations.find(actor, name, 'can-update');
    return this.#set({ organizationId: id, workspaceId: null }, input);
  }

  async removeOfOrganization(actor: Actor, name: string): Promise<void> {
    const { id } = await this.#organizations.find(actor, name, 'can-update');
    await this.#remove({ organizationId: id, workspaceId: null });
  }

  /** Returns the own and the effective policy of each workspace, by workspace id. */
  async concerning(workspaces: readonly Placed[]): Promise<ReadonlyMap<string, PolicyInEffect>> {
    const organizationIds = new Set(workspaces.map(({ organizationId }) => organizationId));
    const ids = workspaces.map(({ id }) => id);
    const policies = await store.policiesOfWorkspaces(this.#database, ids, [...organizationIds]);
    const set = new Map(policies.map((policy) => [policy.workspaceId ?? policy.organizationId, policy]));
    const each = workspaces.flatMap(({ id, organizationId }): [string, PolicyInEffect][] => {
      const own = set.get(id);
      const effective = own ?? set.get(organizationId);
      return effective === undefined ? [] : [[id, { own, effective }]];
    });
    return new Map(each);
  }

  /** Returns the effective policy of one workspace, or undefined. */
  async concerningOne(workspaceId: string): Promise<PolicyInEffect | undefined> {
    const policies = await store.policiesOfWorkspace(this.#database, workspaceId);
    const own = policies.find((policy) => policy.workspaceId === workspaceId);
    const effective = own ?? policies[0];
    return effective && { own, effective };
  }

  async #workspace(actor: Actor, id: string, permission: WorkspacePermission): Promise<PolicyTarget> {
    const { organizationId } = await this.#finder.find(actor, { id }, permission);
    return { organizationId, workspaceId: id };
  }

  /** A policy of the same type is updated and keeps its id; one of another type is replaced. */
  async #set(target: PolicyTarget, { type, attributes = {} }: PolicyInput): Promise<SetPolicyResult> {
    return this.#database.transaction(async (tx) => {
      if (!(await store.hasPolicies(tx, target))) throw notFound();
      const now = this.#clock();
      const current = await store.findPolicy(tx, target);
      const same = current?.type === type ? current : undefined;
      const settings = nextPolicySettings(type, attributes, same?.settings ?? {});
      if (same) {
        await store.updatePolicy(tx, same.id, settings, now);
        return { policy: { ...same, settings }, created: false };
      }
      if (current) await store.removePolicy(tx, current.id);
      await store.insertPolicy(tx, { ...target, id: prefixedId('drp', now), type, settings }, now);
      return { policy: found(await store.findPolicy(tx, target)), created: true };
    });
  }

  async #remove(target: PolicyTarget): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const current = await store.findPolicy(tx, target);
      if (current) await store.removePolicy(tx, current.id);
    });
  }
}

function found(policy: RetentionPolicy | undefined): RetentionPolicy {
  if (policy === undefined) throw notFound();
  return policy;
}
