import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { targetOf } from '../../delivery/index.ts';
import { conflict, notFound, unprocessable } from '../../jsonapi/errors.ts';
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
import { overwriteToken } from './credential-store.ts';
import type { Moves } from './move.ts';
import { clientIssues, newClientIssues } from './rules.ts';
import type { ConnectionSealing } from './sealing.ts';
import * as store from './store.ts';

/** Connections are chosen for workspaces, so managing workspaces is the required right. */
const READING = ['can-update-oauth', 'can-create-workspace'] as const;
const MANAGING = ['can-update-oauth'] as const;

/** Dependencies of the service. */
export interface OAuthClientsOptions {
  readonly database: Database;
  readonly sealing: ConnectionSealing;
  readonly moves: Moves;
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

  /**
   * Finds a connection that the actor may manage.
   * @throws 404 when it does not exist, or without permission
   */
  managed(actor: Actor, id: string): Promise<OAuthClientView> {
    return this.#find(actor, id, MANAGING);
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
    const { clock, database, organizations, projects, sealing } = this.#options;
    const { id: organizationId } = await organizations.find(actor, organizationName, 'can-update-oauth');
    const issues = newClientIssues(input);
    if (issues.length > 0) throw unprocessable(issues);
    await this.#checkPool(organizationId, input.agentPoolId);
    const now = clock();
    const id = prefixedId('oc', now);
    const client = {
      ...{ id, organizationId, serviceProvider: input.serviceProvider, createdAt: now, updatedAt: now },
      ...settable({ ...UNSET, httpUrl: input.httpUrl, apiUrl: input.apiUrl }, input),
    };
    // Plain Git servers may need no token, but workspaces refer to one.
    const oauthToken = input.oauthToken ?? (input.serviceProvider === 'git' ? '' : undefined);
    const known = await projects.readable(actor, input.projectIds);
    // Ignores projects of other organizations, because official clients send them.
    const own = known.filter((project) => project.organizationId === organizationId);
    await database.transaction(async (tx) => {
      await store.insertClient(tx, client, sealing.sealSecrets(id, secretsIn(input)));
      await store.addProjects(
        tx,
        id,
        own.map((project) => project.id),
      );
      if (oauthToken !== undefined) await this.#insertToken(tx, client, oauthToken, now);
    });
    return this.#find(actor, id, MANAGING);
  }

  /**
   * Updates a connection.
   * @throws 404 without permission, 422 for input that breaks a rule, 409 if another request changes the URLs
   */
  async update(actor: Actor, id: string, input: OAuthClientInput): Promise<OAuthClientView> {
    const { clock, database, moves, sealing } = this.#options;
    const client = await this.#find(actor, id, MANAGING);
    const issues = clientIssues(client, input);
    if (issues.length > 0) throw unprocessable(issues);
    await this.#checkPool(client.organizationId, input.agentPoolId);
    await moves.assertSame(client, input);
    await database.transaction(async (tx) => {
      const claimed = await store.claimClient(tx, id);
      const current = await store.findClient(tx, id);
      if (claimed === undefined || current === undefined) throw notFound();
      const { organizationName: _, ...row } = current;
      const secrets = { ...sealing.openSecrets(id, claimed.secrets), ...secretsIn(input) };
      const now = clock();
      const next = { ...row, ...settable(current, input), updatedAt: now };
      // Another request may have changed the URLs since the check.
      if (current.apiUrl !== client.apiUrl || current.httpUrl !== client.httpUrl) throw conflict(CHANGED);
      const isMoved = next.apiUrl !== current.apiUrl || next.httpUrl !== current.httpUrl;
      if (isMoved && !input.oauthToken && (await store.firstTokenId(tx, id))) throw conflict(CHANGED);
      await store.updateClient(tx, next, sealing.sealSecrets(id, secrets));
      await store.setTargets(tx, id, targetOf(next.apiUrl));
      if (input.oauthToken) await this.#setToken(tx, next, input.oauthToken, now);
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
    return view ?? { ...client, health: NO_TOKEN, tokenIds: [], workspaces: 0, projectIds: [] };
  }

  async #views(clients: readonly OAuthClient[]): Promise<OAuthClientView[]> {
    const { database } = this.#options;
    const ids = clients.map(({ id }) => id);
    const tokens = await store.tokensOf(database, ids);
    const links = await store.projectLinks(database, ids);
    const counts = await store.countFollowers(database, ids);
    return clients.map((client) => {
      const own = tokens.filter(({ oauthClientId }) => oauthClientId === client.id);
      return {
        ...client,
        health: own[0]?.health ?? NO_TOKEN,
        tokenIds: own.map(({ id }) => id),
        workspaces: counts.find(({ clientId }) => clientId === client.id)?.count ?? 0,
        projectIds: links.filter(({ clientId }) => clientId === client.id).map(({ projectId }) => projectId),
      };
    });
  }

  /** Stores the token of a connection. Its id stays, because workspaces refer to it. */
  async #setToken(tx: Transaction, client: store.NewClient, text: string, now: number): Promise<void> {
    const tokenId = await store.firstTokenId(tx, client.id);
    if (tokenId === undefined) return this.#insertToken(tx, client, text, now);
    const token = this.#options.sealing.sealToken(tokenId, text);
    await overwriteToken(tx, tokenId, { kind: 'token', token, refreshToken: null, expiresAt: null }, now);
  }

  async #insertToken(tx: Transaction, client: store.NewClient, text: string, now: number): Promise<void> {
    const { id: oauthClientId, organizationId, apiUrl } = client;
    const token = { id: prefixedId('ot', now), oauthClientId, organizationId, createdAt: now };
    await store.insertTokenOf(tx, token, targetOf(apiUrl), this.#options.sealing.sealToken(token.id, text));
  }

  /** Official clients know this text. */
  async #checkPool(organizationId: string, id: string | null | undefined): Promise<void> {
    if (!id || (await this.#options.hooks.agentPools.exists(organizationId, id))) return;
    const detail = 'the provided agent pool does not exist or you are not authorized to use it';
    throw unprocessable([{ detail, pointer: '/data/relationships/agent-pool' }]);
  }
}

const CHANGED = 'Another request has changed the URLs of the connection. Read it again and repeat your change';
const NO_TOKEN = {
  status: 'unverified',
  reason: 'The connection has no token',
  since: null,
  checkedAt: null,
  scopes: [],
} as const;
const UNSET = {
  ...{ name: null, key: null, rsaPublicKey: null, entraTenantId: null, organizationScoped: 1, agentPoolId: null },
  allowedRepositories: [],
};

type Settable = Omit<
  OAuthClient,
  'id' | 'organizationId' | 'organizationName' | 'serviceProvider' | 'createdAt' | 'updatedAt'
>;

/** Returns the attributes after an update; absent ones stay. */
function settable(current: Settable, input: OAuthClientInput): Settable {
  const { name = current.name, key = current.key, rsaPublicKey = current.rsaPublicKey } = input;
  const { organizationScoped: scoped, agentPoolId = current.agentPoolId } = input;
  const { httpUrl = current.httpUrl, apiUrl = current.apiUrl, entraTenantId = current.entraTenantId } = input;
  const { allowedRepositories = current.allowedRepositories } = input;
  const organizationScoped = scoped === undefined ? current.organizationScoped : Number(scoped);
  return {
    ...{ name, key, rsaPublicKey, organizationScoped, agentPoolId: agentPoolId || null },
    ...{ httpUrl, apiUrl, entraTenantId, allowedRepositories },
  };
}

function secretsIn({ secret, privateKey }: ClientSecrets): ClientSecrets {
  return { ...(secret !== undefined && { secret }), ...(privateKey !== undefined && { privateKey }) };
}
