import { type NamedFinding, type Status, worst } from '../../../lib/finding/finding.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { Trials } from '../../platform/trials.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Providers } from './providers.ts';

/** Result of the check of an identity provider. */
export interface CheckedProvider {
  readonly organizationId: string;
  readonly organizationName: string;
  /** Worst status of all findings. */
  readonly status: Status;
  readonly findings: readonly NamedFinding[];
}

/** Checks whether users could sign in with an organization's identity provider, before they try. Stores nothing. */
export class ProviderChecks {
  readonly #providers: Providers;
  readonly #fetch: GuardedFetch;
  readonly #trials = new Trials();

  /** @param fetch the same that sign-ins use */
  constructor(providers: Providers, fetch: GuardedFetch) {
    this.#providers = providers;
    this.#fetch = fetch;
  }

  /**
   * Checks the identity provider of an organization.
   * @param callbackOf returns the redirect URI of an organization's provider
   * @throws 404 if the provider does not exist, or without permission; 403 if the operator disallows providers; 429
   * while too many checks run
   */
  async check(
    actor: Actor,
    organization: string,
    callbackOf: (organizationId: string) => string,
  ): Promise<CheckedProvider> {
    const { organizationId } = await this.#providers.find(actor, organization);
    this.#providers.assertAllowed();
    const provider = await this.#providers.ready(organizationId);
    if (provider === undefined) throw notFound();
    const { organizationName, clientSecret, settings } = provider;
    const { issuer, authorities, clientId, scopes, claims } = settings;
    // Loaded on demand, because the module is large.
    const { checkProvider } = await import('../../../oidc/check/check.ts');
    const findings = await this.#trials.run(organizationId, issuer, () =>
      checkProvider({
        ...{ issuer, fetch: this.#fetch, opening: 'notifications.allowed_addresses' },
        authorities: authorities === '' ? [] : [authorities],
        asks: {
          ...{ clientId, scopes, claims, callback: callbackOf(organizationId) },
          ...(clientSecret !== undefined && { clientSecret }),
        },
      }),
    );
    return { organizationId, organizationName, status: worst(findings.map((one) => one.status)), findings };
  }
}
