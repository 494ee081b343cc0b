import type { Database, Queries } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { TenancyHooks } from '../hooks/hooks.ts';
import type { Actor } from '../permissions/actor.ts';
import type { ServiceAccounts } from '../user/service-accounts.ts';
import { poolIssues } from './execution-mode.ts';
import { takingName } from './name.ts';
import type { Organization, Organizations, OrganizationView } from './organizations.ts';
import { nextOrganization, type OrganizationInput } from './rules.ts';
import * as store from './store.ts';

/** Limits for the lifetime of user tokens. */
export interface UserTokenLimits {
  /** Returns the longest lifetime in milliseconds, for the changed organization. Returns null without a limit. */
  ofUsers(db: Queries, organizationId: string, organization: Pick<Organization, 'settings'>): Promise<number | null>;
}

export interface OrganizationChangesOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly hooks: TenancyHooks;
  readonly serviceAccounts: ServiceAccounts;
  readonly ttlPolicies: UserTokenLimits;
}

/** Changes settings of organizations. */
export class OrganizationChanges {
  readonly #options: OrganizationChangesOptions;

  constructor(options: OrganizationChangesOptions) {
    this.#options = options;
  }

  /**
   * Changes nothing if it throws.
   * @throws 404 without permission; 422 for invalid settings
   */
  async update(actor: Actor, name: string, input: OrganizationInput): Promise<OrganizationView> {
    const { database, hooks, organizations, serviceAccounts, ttlPolicies } = this.#options;
    const { id } = await organizations.find(actor, name, 'can-update');
    const defaultAgentPoolId = input.execution.agentPoolId || null;
    const missing = await poolIssues(hooks.agentPools, id, { defaultExecutionMode: null, defaultAgentPoolId });
    if (missing.length > 0) throw unprocessable(missing);
    await takingName(() =>
      database.transaction(async (tx) => {
        const current = await store.claimOrganization(tx, id);
        if (current === undefined) throw notFound();
        const { serviceAccountId, ...organization } = current;
        const { next, issues } = nextOrganization(organization, input);
        if (issues.length > 0) throw unprocessable(issues);
        await store.updateOrganization(tx, next);
        await store.limitUserTokens(tx, id, await ttlPolicies.ofUsers(tx, id, next));
        if (serviceAccountId !== null && next.name !== name) {
          await serviceAccounts.rename(tx, serviceAccountId, next.name);
        }
      }),
    );
    return organizations.find(actor, input.name ?? name, 'can-traverse');
  }
}
