import { prefixedId } from '../../../lib/ids.ts';
import { type Keyring, type SealedColumn, sql, type Transaction } from '../../../storage/index.ts';
import {
  type Attempt,
  type DeliveryTask,
  type Ended,
  type Entry,
  type Queue,
  RowOutbox,
  targetOf,
} from '../../delivery/index.ts';
import type { HttpPlace, ServiceProvider } from '../connection/connection.ts';
import type { ConnectionSealing } from '../connection/sealing.ts';
import type { ProviderHttp } from '../provider/port.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { findProviderKind } from '../provider/providers.ts';

/** @limit webhooks that the server deletes at the provider after its connection was deleted, webhooks -> the others stay there, and their deliveries get 404 */
const MOST_OF_CONNECTION = 1000;
/** @limit time for which the server tries to delete a webhook of a deleted connection, ms -> it stays at the provider */
const LONGEST_TRY = 24 * 3_600_000;
/** @limit concurrent deletions of webhooks of deleted connections of a node, requests -> the others wait */
const MOST_AT_ONCE = 4;

/** A webhook to delete, with the credential of its connection, which is gone. */
interface Removal {
  readonly id: string;
  readonly serviceProvider: ServiceProvider;
  readonly apiUrl: string;
  readonly httpUrl: string;
  /** Pool whose agents forward the request; null: the server sends it. */
  readonly agentPoolId: string | null;
  readonly credentialKind: 'token' | 'oauth';
  /** Encrypted. */
  readonly token: Uint8Array;
  readonly providerId: string;
  readonly identifier: string;
  readonly providerHookId: string;
  readonly createdAt: number;
}

type Found = Omit<Removal, 'id' | 'createdAt'> & { readonly tokenId: string; readonly organizationId: string };

const selectHooks = sql<{ id: string; most: number }, Found>(
  `SELECT c.organization_id AS "organizationId", c.service_provider AS "serviceProvider", c.api_url AS "apiUrl",
     c.http_url AS "httpUrl", c.agent_pool_id AS "agentPoolId", t.id AS "tokenId", t.kind AS "credentialKind", t.token, r.provider_id AS "providerId",
     r.identifier, h.provider_hook_id AS "providerHookId"
   FROM oauth_client c JOIN oauth_token t ON t.oauth_client_id = c.id JOIN vcs_repository r ON r.connection_id = t.id
   JOIN vcs_hook h ON h.repository_id = r.id
   WHERE (c.id = :id OR t.id = :id) AND h.provider_hook_id IS NOT NULL ORDER BY h.id LIMIT :most`,
);
const insertRemoval = sql<{
  id: string;
  organizationId: string;
  serviceProvider: string;
  apiUrl: string;
  httpUrl: string;
  agentPoolId: string | null;
  credentialKind: string;
  token: Uint8Array;
  providerId: string;
  identifier: string;
  providerHookId: string;
  target: string;
  now: number;
}>(
  `INSERT INTO vcs_hook_removal (id, organization_id, service_provider, api_url, http_url, agent_pool_id, credential_kind, token,
     provider_id, identifier, provider_hook_id, target, due_at, created_at)
   VALUES (:id, :organizationId, :serviceProvider, :apiUrl, :httpUrl, :agentPoolId, :credentialKind, :token, :providerId, :identifier,
     :providerHookId, :target, :now, :now)`,
);
const deleteRemoval = sql<{ id: string }>('DELETE FROM vcs_hook_removal WHERE id = :id');

const contextOf = (id: string) => `vcs-hook-removal/${id}`;

/** A removal has no destination that a request could change. */
export const sealedRemovals: SealedColumn = {
  ...{ table: 'vcs_hook_removal', key: ['id'], column: 'token', boundTo: [], contextOf },
};

/** Notes the webhooks of a connection before it is deleted. */
export class HookRemovals {
  readonly #keyring: Keyring;
  readonly #sealing: Pick<ConnectionSealing, 'openToken'>;

  constructor(keyring: Keyring, sealing: Pick<ConnectionSealing, 'openToken'>) {
    this.#keyring = keyring;
    this.#sealing = sealing;
  }

  /** @param id of a connection or of one of its tokens */
  async add(tx: Transaction, id: string, now: number): Promise<void> {
    for (const { tokenId, token, ...hook } of await tx.all(selectHooks, { id, most: MOST_OF_CONNECTION })) {
      const removalId = prefixedId('vhr', now);
      const text = this.#sealing.openToken(tokenId, token);
      const sealed = this.#keyring.encrypt(Buffer.from(text), contextOf(removalId));
      await tx.run(insertRemoval, { ...hook, id: removalId, token: sealed, target: targetOf(hook.apiUrl), now });
    }
  }
}

/** Queue that deletes webhooks of deleted connections at their providers, if these still accept the credential. */
export class HookRemovalQueue implements Queue<Entry<Removal>, Attempt> {
  readonly name = 'vcs_hook_removals';
  readonly task: DeliveryTask = {
    name: 'vcs-hook-removal',
    description: 'Deletes webhooks at VCS providers after their connections were deleted.',
  };
  readonly outbox = new RowOutbox<Removal>({
    table: 'vcs_hook_removal',
    columns: `id, service_provider AS "serviceProvider", api_url AS "apiUrl", http_url AS "httpUrl",
      agent_pool_id AS "agentPoolId", credential_kind AS "credentialKind", token, provider_id AS "providerId", identifier,
      provider_hook_id AS "providerHookId", created_at AS "createdAt"`,
  });
  readonly places = { all: MOST_AT_ONCE, ofOrganization: MOST_AT_ONCE, toReceiver: MOST_AT_ONCE };
  readonly #keyring: Keyring;
  readonly #httpFor: (place: HttpPlace) => ProviderHttp;

  constructor(keyring: Keyring, httpFor: (place: HttpPlace) => ProviderHttp) {
    this.#keyring = keyring;
    this.#httpFor = httpFor;
  }

  latest({ row }: Entry<Removal>): number {
    return row.createdAt + LONGEST_TRY;
  }

  async attempt({ row }: Entry<Removal>): Promise<Attempt> {
    const { id, apiUrl, httpUrl, agentPoolId, serviceProvider, credentialKind: kind, providerHookId } = row;
    const hooks = findProviderKind(serviceProvider, kind)?.provider.hooks;
    if (hooks === undefined) return { outcome: 'refused' };
    const token = Buffer.from(this.#keyring.decrypt(row.token, contextOf(id))).toString();
    const http = this.#httpFor({ id, apiUrl, httpUrl, agentPoolId, serviceProvider });
    try {
      await hooks.remove({ apiUrl, httpUrl, http, credential: { kind, token } }, row, providerHookId);
      return { outcome: 'arrived' };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { outcome: error.isTemporary ? 'failed' : 'refused' };
    }
  }

  /** The credential is deleted with the row. */
  async settle(tx: Transaction, { id }: Entry<Removal>, _attempt: Attempt, { verdict }: Ended): Promise<void> {
    if (verdict !== 'failed') await tx.run(deleteRemoval, { id });
  }
}
