import type { Database, Transaction } from '../../../storage/index.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, type Organizations, requireInOrganization } from '../../tenancy/index.ts';
import type { Place } from '../../workspace/index.ts';
import type { OAuthClients } from './clients.ts';
import type { OAuthToken } from './connection.ts';
import { usableSshKey } from './rules.ts';
import type { ConnectionSealing } from './sealing.ts';
import * as store from './store.ts';

/**
 * Manages the tokens by which workspaces use a connection. The text of a token is set with the connection
 * and is write-only.
 */
export class OAuthTokens {
  readonly #database: Database;
  readonly #sealing: ConnectionSealing;
  readonly #organizations: Organizations;
  readonly #clients: OAuthClients;

  constructor(
    database: Database,
    sealing: ConnectionSealing,
    parts: { readonly organizations: Organizations; readonly clients: OAuthClients },
  ) {
    this.#database = database;
    this.#sealing = sealing;
    this.#organizations = parts.organizations;
    this.#clients = parts.clients;
  }

  async list(actor: Actor, organizationName: string, page: Page): Promise<Slice<OAuthToken>> {
    const { id: organizationId } = await this.#organizations.find(actor, organizationName, 'can-traverse');
    requireInOrganization(actor, organizationId, 'can-update-oauth', 'can-create-workspace');
    return store.listClientTokens(this.#database, { organizationId }, page);
  }

  /** Returns the tokens of one connection. */
  async listOf(actor: Actor, clientId: string, page: Page): Promise<Slice<OAuthToken>> {
    await this.#clients.find(actor, clientId);
    return store.listClientTokens(this.#database, { clientId }, page);
  }

  /**
   * Finds a token.
   * @throws 404 when it does not exist, or without permission
   */
  async find(actor: Actor, id: string): Promise<OAuthToken> {
    const token = await store.findToken(this.#database, id);
    if (token === undefined) throw notFound();
    requireInOrganization(actor, token.organizationId, 'can-update-oauth', 'can-create-workspace');
    return token;
  }

  /**
   * Stores an SSH private key for cloning submodules; null removes it. @throws 404 without permission, 422 for an
   * invalid key
   */
  async setSshKey(actor: Actor, id: string, key: string | null | undefined): Promise<OAuthToken> {
    await this.#manage(actor, id);
    if (key === undefined) return this.find(actor, id);
    const sealed = key === null ? null : this.#sealing.sealSshKey(id, usableSshKey(key));
    await store.setSshKey(this.#database, id, sealed);
    return this.find(actor, id);
  }

  /** Deletes a token and removes it from workspaces. @throws 404 without permission */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.#manage(actor, id);
    await this.#clients.deleteToken(id);
  }

  /** Returns whether a workspace in this place may use the token. */
  async usable(tx: Transaction, id: string, { organizationId, projectId }: Place): Promise<boolean> {
    return (await store.findUsableToken(tx, id, organizationId, projectId)) !== undefined;
  }

  async #manage(actor: Actor, id: string): Promise<void> {
    const { organizationId } = await this.find(actor, id);
    requireInOrganization(actor, organizationId, 'can-update-oauth');
  }
}
