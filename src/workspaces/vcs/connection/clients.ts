import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Keyring, SealedColumn } from '../../../storage/index.ts';
import { notFound, unprocessable } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import {
  type Actor,
  type OrganizationPermission,
  type Organizations,
  type Projects,
  requireInOrganization,
  type TenancyHooks,
} from '../../tenancy/index.ts';
import type {
  ClientSecrets,
  NewOAuthClientInput,
  OAuthClient,
  OAuthClientInput,
  OAuthClientView,
  OAuthToken,
} from './connection.ts';
import { clientIssues, newClientIssues } from './rules.ts';
import * as store from './store.ts';

/** Connections are chosen for workspaces, so managing workspaces is the required right. */
const READING = ['can-update-oauth', 'can-create-workspace'] as const;
const MANAGING = ['can-update-oauth'] as const;

/** Dependencies of the service. */
export interface OAuthClientsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projects: Projects;
  readonly hooks: Pick<TenancyHooks, 'agentPools'>;
}

/** Manages the connections of an organization to VCS providers. */
export class OAuthClients {
  readonly #options: OAuthClientsOptions;

  constructor(options: OAuthClientsOptions) {
    this.#options = options;
  }

  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<OAuthClientView>> {
    const { database, organizations } = this.#options;
    const { id } = await organizations.find(actor, organizationName, 'can-traverse');
    requireInOrganization(actor, id, ...READING);
    const { items, total } = await store.listClients(database, id, page);
    return { items: await this.#views(items), total };
  }

  /**
   * Finds a connection.
   * @throws 404 when it does not exist, or without permission
   */
  find(actor: Actor, id: string): Promise<OAuthClientView> {
    return this.#find(actor, id, READING);
  }

  /** Returns the tokens of connections. */
  tokensOf(clients: readonly OAuthClientView[]): Promise<OAuthToken[]> {
    return store.tokensOf(
      this.#options.database,
      clients.map(({ id }) => id),
    );
  }

  /**
   * Creates a connection.
   * @throws 404 without permission, 422 for input that breaks a rule
   */
  async create(actor: Actor, organizationName: string, input: NewOAuthClientInput): Promise<OAuthClientView> {
    const { clock, database, organizations, projects } = this.#options;
    const { id: organizationId } = await organizations.find(actor, organizationName, 'can-update-oauth');
    const issues = newClientIssues(input);
    if (issues.length > 0) throw unprocessable(issues);
    await this.#checkPool(organizationId, input.agentPoolId);
    const now = clock();
    const id = prefixedId('oc', now);
    const { serviceProvider, httpUrl, apiUrl, oauthToken } = input;
    const client = {
      ...{ id, organizationId, serviceProvider, httpUrl, apiUrl, createdAt: now },
      ...settable({ name: null, key: null, rsaPublicKey: null, organizationScoped: 1, agentPoolId: null }, input),
    };
    const known = await projects.readable(actor, input.projectIds);
    // Ignores projects of other organizations, because official clients send them.
    const own = known.filter((project) => project.organizationId === organizationId);
    await database.transaction(async (tx) => {
      await store.insertClient(tx, client, this.#sealed(id, secretsIn(input)));
      await store.addProjects(
        tx,
        id,
        own.map((project) => project.id),
      );
      if (oauthToken) {
        const token = { id: prefixedId('ot', now), oauthClientId: id, organizationId, createdAt: now };
        await store.insertTokenOf(tx, token, this.#sealedToken(token.id, oauthToken));
      }
    });
    return this.#find(actor, id, MANAGING);
  }

  /**
   * Updates a connection.
   * @throws 404 without permission, 422 for input that breaks a rule
   */
  async update(actor: Actor, id: string, input: OAuthClientInput): Promise<OAuthClientView> {
    const { clock, database } = this.#options;
    const client = await this.#find(actor, id, MANAGING);
    const issues = clientIssues(client, input);
    if (issues.length > 0) throw unprocessable(issues);
    await this.#checkPool(client.organizationId, input.agentPoolId);
    await database.transaction(async (tx) => {
      const claimed = await store.claimClient(tx, id);
      const current = await store.findClient(tx, id);
      if (claimed === undefined || current === undefined) throw notFound();
      const { organizationName: _, ...row } = current;
      const secrets = { ...this.#opened(id, claimed.secrets), ...secretsIn(input) };
      await store.updateClient(tx, { ...row, ...settable(current, input) }, this.#sealed(id, secrets));
      if (!input.oauthToken) return;
      const tokenId = await store.firstTokenId(tx, id);
      const token = { id: prefixedId('ot', clock()), oauthClientId: id, organizationId: client.organizationId };
      if (tokenId) await store.setToken(tx, tokenId, this.#sealedToken(tokenId, input.oauthToken));
      else {
        const sealed = this.#sealedToken(token.id, input.oauthToken);
        await store.insertTokenOf(tx, { ...token, createdAt: clock() }, sealed);
      }
    });
    return this.#find(actor, id, MANAGING);
  }

  /** Deletes a connection and removes it from workspaces. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#find(actor, id, MANAGING);
    await store.removeClient(this.#options.database, id);
  }

  /**
   * Adds projects to a connection.
   * @throws 404 without permission, 422 for an unknown project
   */
  async addProjects(actor: Actor, id: string, projectIds: readonly string[]): Promise<void> {
    const { database, projects } = this.#options;
    const { organizationId } = await this.#find(actor, id, MANAGING);
    const known = await projects.readable(actor, projectIds);
    const own = new Set(known.filter((one) => one.organizationId === organizationId).map((one) => one.id));
    const issues = projectIds.flatMap((projectId, index) =>
      own.has(projectId) ? [] : [{ detail: 'Project not found', pointer: `/data/${index}` }],
    );
    if (issues.length > 0) throw unprocessable(issues);
    await database.transaction((tx) => store.addProjects(tx, id, [...own]));
  }

  /** Ignores unknown projects. @throws 404 without permission */
  async removeProjects(actor: Actor, id: string, projectIds: readonly string[]): Promise<void> {
    await this.#find(actor, id, MANAGING);
    await this.#options.database.transaction((tx) => store.removeProjects(tx, id, projectIds));
  }

  async #find(
    actor: Actor,
    id: string,
    permissions: readonly [OrganizationPermission, ...OrganizationPermission[]],
  ): Promise<OAuthClientView> {
    const client = await store.findClient(this.#options.database, id);
    if (client === undefined) throw notFound();
    requireInOrganization(actor, client.organizationId, ...permissions);
    const [view] = await this.#views([client]);
    return view ?? { ...client, tokenIds: [], projectIds: [] };
  }

  async #views(clients: readonly OAuthClient[]): Promise<OAuthClientView[]> {
    const links = await store.clientLinks(
      this.#options.database,
      clients.map(({ id }) => id),
    );
    return clients.map((client) => {
      const own = links.filter(({ clientId }) => clientId === client.id);
      const of = (kind: string) => own.filter((link) => link.kind === kind).map(({ target }) => target);
      return { ...client, tokenIds: of('token'), projectIds: of('project') };
    });
  }

  /** Official clients know this text. */
  async #checkPool(organizationId: string, id: string | null | undefined): Promise<void> {
    if (!id || (await this.#options.hooks.agentPools.exists(organizationId, id))) return;
    const detail = 'the provided agent pool does not exist or you are not authorized to use it';
    throw unprocessable([{ detail, pointer: '/data/relationships/agent-pool' }]);
  }

  #sealed(id: string, secrets: ClientSecrets): Uint8Array {
    return this.#options.keyring.encrypt(Buffer.from(JSON.stringify(secrets)), `oauth-client/${id}`);
  }

  #opened(id: string, sealed: Uint8Array): ClientSecrets {
    return JSON.parse(Buffer.from(this.#options.keyring.decrypt(sealed, `oauth-client/${id}`)).toString());
  }

  #sealedToken(id: string, text: string): Uint8Array {
    return this.#options.keyring.encrypt(Buffer.from(text), `oauth-token/${id}`);
  }
}

type Settable = Pick<OAuthClient, 'name' | 'key' | 'rsaPublicKey' | 'organizationScoped' | 'agentPoolId'>;

/** Returns the attributes after an update; absent ones stay. */
function settable(current: Settable, input: OAuthClientInput): Settable {
  const { name = current.name, key = current.key, rsaPublicKey = current.rsaPublicKey } = input;
  const { organizationScoped: scoped, agentPoolId = current.agentPoolId } = input;
  const organizationScoped = scoped === undefined ? current.organizationScoped : Number(scoped);
  return { name, key, rsaPublicKey, organizationScoped, agentPoolId: agentPoolId || null };
}

function secretsIn({ secret, privateKey }: ClientSecrets): ClientSecrets {
  return { ...(secret !== undefined && { secret }), ...(privateKey !== undefined && { privateKey }) };
}

/**
 * Encrypted secrets of connections, tokens and SSH keys. They are bound to no destination, because no
 * request changes the URLs of a connection.
 */
export const sealedConnections: readonly SealedColumn[] = [
  { table: 'oauth_client', key: ['id'], column: 'secrets', boundTo: [], contextOf: (id) => `oauth-client/${id}` },
  { table: 'oauth_token', key: ['id'], column: 'token', boundTo: [], contextOf: (id) => `oauth-token/${id}` },
  { table: 'oauth_token', key: ['id'], column: 'ssh_key', boundTo: [], contextOf: (id) => `oauth-token-ssh-key/${id}` },
];
