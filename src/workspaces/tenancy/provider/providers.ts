import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Database, Keyring, SealedColumn, Transaction } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import { boundSecretIssues } from '../../platform/bound-secret.ts';
import type { Organizations } from '../organization/organizations.ts';
import type { Actor } from '../permissions/actor.ts';
import type { Provider, ProviderSettings } from './store.ts';
import * as store from './store.ts';

export type { Provider, ProviderSettings } from './store.ts';

/** What is absent stays as it is; the secret is never shown, and null makes a public client. */
export type ProviderChange = Partial<ProviderSettings> & { readonly clientSecret?: string | null | undefined };
/** A new one says at least how it is reached. */
export type NewProvider = ProviderChange & Pick<ProviderSettings, 'name' | 'issuer' | 'clientId'>;

/** One that people are sent to. */
export interface ReadyProvider extends Omit<Provider, 'clientSecret'> {
  readonly clientSecret: string | undefined;
}

const UNSAID = {
  scopes: ['openid', 'profile', 'email'],
  claims: { name: 'preferred_username', email: 'email', groups: 'groups' },
  create: 'invited',
  ssoTeamIds: true,
  teams: [],
  authorities: '',
} as const;

/** Attributes that identify the identity provider. With another client or CA it could be a different provider. */
const VOUCHER = ['issuer', 'clientId', 'authorities'] as const;

const OFF =
  'Organizations have no providers of their own here: whoever runs this server has set sign_in.organization_providers to false';

const contextOf = (organizationId: string) => `sign-in-provider/${organizationId}`;

/** What the service works with. */
export interface ProvidersOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly organizations: Organizations;
  /** Of this server, where it is said: `https://lock.example`. */
  readonly address: string | undefined;
  /** Whether the operator lets organizations have them. */
  readonly areAllowed: boolean;
}

/** The providers with which people sign in to single organizations, as their owners decide it. */
export class Providers {
  readonly #options: ProvidersOptions;

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  /** Of this server, where it is said. */
  get address(): string | undefined {
    return this.#options.address;
  }

  /** The one that there is, or none. @throws 404 for whoever may not decide it */
  async list(actor: Actor, organization: string): Promise<readonly Provider[]> {
    const provider = await store.findProvider(this.#options.database, await this.#manage(actor, organization));
    return provider ? [provider] : [];
  }

  /** @throws 404 when there is none, or the actor may not decide it */
  async find(actor: Actor, organization: string): Promise<Provider> {
    const [provider] = await this.list(actor, organization);
    if (provider === undefined) throw notFound();
    return provider;
  }

  /** In place of one that there is. @throws 404 for whoever may not decide it, 403 where the operator wants none */
  async create(actor: Actor, organization: string, { clientSecret, ...input }: NewProvider): Promise<Provider> {
    const organizationId = await this.#manage(actor, organization);
    this.assertAllowed();
    const now = this.#options.clock();
    const provider = {
      ...{ organizationId, organizationName: organization, revision: randomUUID(), createdAt: now, updatedAt: now },
      settings: { ...UNSAID, ...input },
      clientSecret: clientSecret ? this.#sealed(organizationId, clientSecret) : null,
    };
    await this.#options.database.transaction((tx) => this.#put(tx, provider));
    return provider;
  }

  /**
   * Updates a provider. Sessions end if it is a different identity provider now.
   * @throws 404 when there is none, or the actor may not decide it; 422 for another issuer without the secret
   */
  async update(
    actor: Actor,
    organization: string,
    { clientSecret: secret, ...input }: ProviderChange,
  ): Promise<Provider> {
    const organizationId = await this.#manage(actor, organization);
    const { clock, database } = this.#options;
    return database.transaction(async (tx) => {
      const before = await store.findProvider(tx, organizationId);
      if (before === undefined) throw notFound();
      const settings = { ...before.settings, ...input };
      const issues = boundSecretIssues('client-secret', 'Client secret', {
        isStored: before.clientSecret !== null,
        given: secret,
        destination: {
          issuer: [before.settings.issuer, settings.issuer],
          'certificate-authorities': [before.settings.authorities, settings.authorities],
        },
      });
      if (issues.length > 0) throw unprocessable(issues);
      const kept = secret === undefined ? before.clientSecret : null;
      const provider = {
        ...{ ...before, revision: randomUUID(), updatedAt: clock() },
        settings,
        clientSecret: secret ? this.#sealed(organizationId, secret) : kept,
      };
      await this.#put(tx, provider);
      return provider;
    });
  }

  /** Sessions of those for whom it has vouched end with it; they stay members. @throws 404 as above */
  async delete(actor: Actor, organization: string): Promise<void> {
    const { organizationId } = await this.find(actor, organization);
    await this.#options.database.transaction((tx) => store.removeProvider(tx, organizationId));
  }

  /** For a sign-in, for which nobody is asked. @param which an organization: its id, or else its name */
  async ready(which: string): Promise<ReadyProvider | undefined> {
    const { database, keyring } = this.#options;
    const found = (await store.findProvider(database, which)) ?? (await store.findProviderByName(database, which));
    if (found === undefined) return undefined;
    const { clientSecret: sealed, organizationId } = found;
    const clientSecret = sealed
      ? Buffer.from(keyring.decrypt(sealed, contextOf(organizationId))).toString()
      : undefined;
    return { ...found, clientSecret };
  }

  /** @throws 403 where the operator wants none */
  assertAllowed(): void {
    if (!this.#options.areAllowed) throw new AppError('forbidden', OFF);
  }

  areThere(): Promise<boolean> {
    return store.hasProviders(this.#options.database);
  }

  /** Ends the sessions that the previous identity provider signed in, if this one is different. */
  async #put(tx: Transaction, provider: Provider): Promise<void> {
    const before = await store.findProvider(tx, provider.organizationId);
    if (before && VOUCHER.some((name) => before.settings[name] !== provider.settings[name])) {
      await store.endSessionsOfProvider(tx, provider.organizationId);
    }
    await store.putProvider(tx, provider);
  }

  #sealed(organizationId: string, secret: string): Uint8Array {
    return this.#options.keyring.encrypt(Buffer.from(secret), contextOf(organizationId));
  }

  async #manage(actor: Actor, organization: string): Promise<string> {
    return (await this.#options.organizations.find(actor, organization, 'can-manage-sso')).id;
  }
}

export const sealedProviders: SealedColumn = {
  table: 'sign_in_provider',
  key: ['organization_id'],
  column: 'client_secret',
  boundTo: ['issuer', 'certificate-authorities'],
  contextOf,
};
