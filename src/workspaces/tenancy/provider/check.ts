import { type NamedFinding, type Status, worst } from '../../../lib/finding/finding.ts';
import type { GuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { Trials } from '../../platform/trials.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Providers } from './providers.ts';

/** What is to be said of a provider. */
export interface CheckedProvider {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The worst of them. */
  readonly status: Status;
  readonly findings: readonly NamedFinding[];
}

/** Looks whether people could sign in with the provider of an organization, before they try. Nothing is stored. */
export class ProviderChecks {
  readonly #providers: Providers;
  readonly #fetch: GuardedFetch;
  readonly #trials = new Trials();

  /** @param fetch as sign-ins reach it */
  constructor(providers: Providers, fetch: GuardedFetch) {
    this.#providers = providers;
    this.#fetch = fetch;
  }

  /**
   * @param callbackOf where the provider of an organization sends people back to
   * @throws 404 when there is none, or the actor may not decide it; 403 where the operator wants none; 429 while too many are checked
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
    // Loaded where it is wanted: it is large.
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
