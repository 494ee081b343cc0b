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

/** Missing fields keep their values. The secret is never returned; null makes a public client. */
export type ProviderChange = Partial<ProviderSettings> & { readonly clientSecret?: string | null | undefined };
/** Fields of a new provider, with the required ones. */
export type NewProvider = ProviderChange & Pick<ProviderSettings, 'name' | 'issuer' | 'clientId'>;

/** Identity provider to which sign-ins are sent. */
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
  'Identity providers of organizations are disabled on this server: the operator has set sign_in.organization_providers to false';

const contextOf = (organizationId: string) => `sign-in-provider/${organizationId}`;

export interface ProvidersOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly organizations: Organizations;
  /** URL of this server, if it is configured: `https://lock.example`. */
  readonly address: string | undefined;
  /** Whether the operator allows organizations to have their own providers. */
  readonly areAllowed: boolean;
}

/** Manages identity providers of single organizations. Owners of the organization configure them. */
export class Providers {
  readonly #options: ProvidersOptions;

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  /** URL of this server, if it is configured. */
  get address(): string | undefined {
    return this.#options.address;
  }

  /**
   * Lists the provider if there is one.
   * @throws 404 without permission
   */
  async list(actor: Actor, organization: string): Promise<readonly Provider[]> {
    const provider = await store.findProvider(this.#options.database, await this.#manage(actor, organization));
    return provider ? [provider] : [];
  }

  /**
   * Finds the provider of an organization.
   * @throws 404 if it does not exist, or without permission
   */
  async find(actor: Actor, organization: string): Promise<Provider> {
    const [provider] = await this.list(actor, organization);
    if (provider === undefined) throw notFound();
    return provider;
  }

  /**
   * Creates the provider and replaces an existing one.
   * @throws 404 without permission; 403 if the operator disallows providers
   */
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
   * @throws 404 if the provider does not exist, or without permission; 422 for another issuer without the secret
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

  /**
   * Deletes a provider and the sessions of its users, who stay members.
   * @throws 404 as `find`
   */
  async delete(actor: Actor, organization: string): Promise<void> {
    const { organizationId } = await this.find(actor, organization);
    await this.#options.database.transaction((tx) => store.removeProvider(tx, organizationId));
  }

  /**
   * Returns the provider for a sign-in, before the user is authenticated.
   * @param which id or name of an organization
   */
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

  /**
   * Checks that the operator allows providers of organizations.
   * @throws 403 if the operator disallows them
   */
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
