import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { ConnectionStatus, OAuthClient, OAuthToken } from './connection.ts';

const COLUMNS = `c.id, c.organization_id AS "organizationId", o.name AS "organizationName", c.name,
  c.service_provider AS "serviceProvider", c.http_url AS "httpUrl", c.api_url AS "apiUrl", c.consumer_key AS key,
  c.rsa_public_key AS "rsaPublicKey", c.entra_tenant_id AS "entraTenantId", c.organization_scoped AS "organizationScoped", c.agent_pool_id AS "agentPoolId",
  c.allowed_repositories AS "allowedRepositories", c.created_at AS "createdAt",
  coalesce(c.updated_at, c.created_at) AS "updatedAt"`;
const FROM = 'oauth_client c JOIN organization o ON o.id = c.organization_id';

const TOKEN_COLUMNS = `t.id, t.oauth_client_id AS "oauthClientId", t.organization_id AS "organizationId",
  CASE WHEN t.ssh_key IS NULL THEN 0 ELSE 1 END AS "hasSshKey", t.account, t.expires_at AS "expiresAt", t.status,
  t.status_reason AS reason, t.status_since AS since, t.checked_at AS "checkedAt", t.scopes,
  t.created_at AS "createdAt"`;

interface ClientRow extends Omit<OAuthClient, 'allowedRepositories'> {
  readonly allowedRepositories: string;
}
interface TokenRow extends Omit<OAuthToken, 'health'> {
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly since: number | null;
  readonly checkedAt: number | null;
  readonly scopes: string;
}

const clientOf = (row: ClientRow): OAuthClient => ({
  ...row,
  allowedRepositories: JSON.parse(row.allowedRepositories) as string[],
});

function tokenOf({ status, reason, since, checkedAt, scopes, ...token }: TokenRow): OAuthToken {
  return { ...token, health: { status, reason, since, checkedAt, scopes: JSON.parse(scopes) as string[] } };
}

const selectClient = sql<{ id: string }, ClientRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = :id`);
/** A connection to store. */
export type NewClient = Omit<OAuthClient, 'organizationName'>;
type NewRow = { [Column in keyof NewClient]: Column extends 'allowedRepositories' ? string : NewClient[Column] };
const insertClientStatement = sql<NewRow & { secrets: Uint8Array }>(
  `INSERT INTO oauth_client (id, organization_id, name, service_provider, http_url, api_url, consumer_key,
     rsa_public_key, entra_tenant_id, secrets, organization_scoped, agent_pool_id, allowed_repositories, created_at, updated_at)
   VALUES (:id, :organizationId, :name, :serviceProvider, :httpUrl, :apiUrl, :key,
     :rsaPublicKey, :entraTenantId, :secrets, :organizationScoped, :agentPoolId, :allowedRepositories, :createdAt, :updatedAt)`,
);
// Locks the row, because an update depends on the current values.
const claimClientStatement = sql<{ id: string }, { secrets: Uint8Array }>(
  'UPDATE oauth_client SET organization_scoped = organization_scoped WHERE id = :id RETURNING secrets',
);
type ChangedRow = Omit<NewRow, 'organizationId' | 'serviceProvider' | 'createdAt'>;
const updateClientStatement = sql<ChangedRow & { secrets: Uint8Array }>(
  `UPDATE oauth_client SET name = :name, http_url = :httpUrl, api_url = :apiUrl, consumer_key = :key,
     rsa_public_key = :rsaPublicKey, entra_tenant_id = :entraTenantId, secrets = :secrets, organization_scoped = :organizationScoped,
     agent_pool_id = :agentPoolId, allowed_repositories = :allowedRepositories, updated_at = :updatedAt
   WHERE id = :id`,
);
const selectSecrets = sql<{ id: string }, { secrets: Uint8Array }>('SELECT secrets FROM oauth_client WHERE id = :id');
const removeClientStatement = sql<{ id: string }>('DELETE FROM oauth_client WHERE id = :id');
const insertProject = sql<{ id: string; projectId: string }>(
  `INSERT INTO oauth_client_project (oauth_client_id, project_id) VALUES (:id, :projectId) ON CONFLICT DO NOTHING`,
);
const removeProject = sql<{ id: string; projectId: string }>(
  'DELETE FROM oauth_client_project WHERE oauth_client_id = :id AND project_id = :projectId',
);

const selectToken = sql<{ id: string }, TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM oauth_token t WHERE t.id = :id`);
const selectFirstToken = sql<{ clientId: string }, { id: string }>(
  'SELECT id FROM oauth_token WHERE oauth_client_id = :clientId ORDER BY id LIMIT 1',
);
const insertToken = sql<{
  id: string;
  oauthClientId: string;
  organizationId: string;
  token: Uint8Array;
  target: string;
  dueAt: number;
  createdAt: number;
}>(
  `INSERT INTO oauth_token (id, oauth_client_id, organization_id, token, target, due_at, created_at)
   VALUES (:id, :oauthClientId, :organizationId, :token, :target, :dueAt, :createdAt)`,
);
const updateTargets = sql<{ clientId: string; target: string }>(
  'UPDATE oauth_token SET target = :target WHERE oauth_client_id = :clientId',
);
const updateSshKey = sql<{ id: string; sshKey: Uint8Array | null }>(
  'UPDATE oauth_token SET ssh_key = :sshKey WHERE id = :id',
);
const removeToken = sql<{ id: string }>('DELETE FROM oauth_token WHERE id = :id');
const selectUsable = sql<{ id: string; organizationId: string; projectId: string }, { id: string }>(
  `SELECT t.id FROM oauth_token t JOIN oauth_client c ON c.id = t.oauth_client_id
   WHERE t.id = :id AND t.organization_id = :organizationId AND (c.organization_scoped = 1
     OR EXISTS (SELECT 1 FROM oauth_client_project x WHERE x.oauth_client_id = c.id AND x.project_id = :projectId))`,
);

/** Returns a connection, or undefined. */
export async function findClient(db: Queries, id: string): Promise<OAuthClient | undefined> {
  const row = await db.one(selectClient, { id });
  return row && clientOf(row);
}

/** Returns the connections of an organization, oldest first. */
export async function listClients(db: Queries, organizationId: string, page: Page): Promise<Slice<OAuthClient>> {
  const where = [fragment`c.organization_id = ${organizationId}`];
  const found = await selectSlice<ClientRow>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'c.id' }, page);
  return { ...found, items: found.items.map(clientOf) };
}

/** Returns the projects of connections. */
export function projectLinks(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return select(
    db,
    fragment<{ clientId: string; projectId: string }>`
      select x.oauth_client_id as "clientId", x.project_id as "projectId" from oauth_client_project x
        where ${isOneOf('x.oauth_client_id', ids)} order by 2`,
  );
}

/** Counts the workspaces that follow a repository by each connection; a connection without one has no entry. */
export function countFollowers(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return select(
    db,
    fragment<{ clientId: string; count: number }>`
      select t.oauth_client_id as "clientId", count(*) as count from vcs_workspace w
        join oauth_token t on t.id = w.connection_id
        where ${isOneOf('t.oauth_client_id', ids)} group by t.oauth_client_id`,
  );
}

export function insertClient(tx: Transaction, { allowedRepositories, ...row }: NewClient, secrets: Uint8Array) {
  return tx.run(insertClientStatement, { ...row, allowedRepositories: JSON.stringify(allowedRepositories), secrets });
}

/** Locks the row for the rest of the transaction. Returns undefined when it is gone. */
export function claimClient(tx: Transaction, id: string) {
  return tx.one(claimClientStatement, { id });
}

/** Returns the encrypted secrets of a connection. */
export async function findSecrets(db: Queries, id: string) {
  return (await db.one(selectSecrets, { id }))?.secrets;
}

/** Updates a connection after `claimClient`. */
export function updateClient(tx: Transaction, client: NewClient, secrets: Uint8Array) {
  const { id, name, httpUrl, apiUrl, key, rsaPublicKey, entraTenantId, organizationScoped, agentPoolId } = client;
  return tx.run(updateClientStatement, {
    ...{ id, name, httpUrl, apiUrl, key, rsaPublicKey, entraTenantId, organizationScoped, agentPoolId, secrets },
    updatedAt: client.updatedAt,
    allowedRepositories: JSON.stringify(client.allowedRepositories),
  });
}

/** Deletes a connection with its tokens, and removes it from workspaces. */
export function removeClient(db: Queries, id: string) {
  return db.run(removeClientStatement, { id });
}

export async function addProjects(tx: Transaction, id: string, projectIds: readonly string[]): Promise<void> {
  for (const projectId of projectIds) await tx.run(insertProject, { id, projectId });
}

export async function removeProjects(tx: Transaction, id: string, projectIds: readonly string[]): Promise<void> {
  for (const projectId of projectIds) await tx.run(removeProject, { id, projectId });
}

/** Returns a token, or undefined. */
export async function findToken(db: Queries, id: string): Promise<OAuthToken | undefined> {
  const row = await db.one(selectToken, { id });
  return row && tokenOf(row);
}

/** Returns the tokens of an organization or of one connection, oldest first. */
export async function listClientTokens(
  db: Queries,
  of: { readonly organizationId: string } | { readonly clientId: string },
  page: Page,
): Promise<Slice<OAuthToken>> {
  const where: Fragment =
    'clientId' in of
      ? fragment`t.oauth_client_id = ${of.clientId}`
      : fragment`t.organization_id = ${of.organizationId}`;
  const query = { columns: TOKEN_COLUMNS, from: 'oauth_token t', where: [where], orderBy: 't.id' };
  const found = await selectSlice<TokenRow>(db, query, page);
  return { ...found, items: found.items.map(tokenOf) };
}

/** Returns the token of a connection, or undefined. */
export async function firstTokenId(db: Queries, clientId: string) {
  return (await db.one(selectFirstToken, { clientId }))?.id;
}

/** Returns the tokens of connections, oldest first. */
export async function tokensOf(db: Queries, clientIds: readonly string[]): Promise<OAuthToken[]> {
  if (clientIds.length === 0) return [];
  const from = fragment.raw(`${TOKEN_COLUMNS} FROM oauth_token t`);
  const rows = await select(
    db,
    fragment<TokenRow>`select ${from} where ${isOneOf('t.oauth_client_id', clientIds)} order by t.id`,
  );
  return rows.map(tokenOf);
}

/** A token to store. */
export type NewToken = Pick<OAuthToken, 'id' | 'oauthClientId' | 'organizationId' | 'createdAt'>;

/**
 * Inserts a token, which is due for a check.
 * @param target host of the provider, for which checks are limited
 */
export function insertTokenOf(tx: Transaction, row: NewToken, target: string, sealed: Uint8Array) {
  return tx.run(insertToken, { ...row, target, dueAt: row.createdAt, token: sealed });
}

/** Sets the host of the provider, for which checks are limited. */
export function setTargets(tx: Transaction, clientId: string, target: string) {
  return tx.run(updateTargets, { clientId, target });
}

export function setSshKey(db: Queries, id: string, sealed: Uint8Array | null) {
  return db.run(updateSshKey, { id, sshKey: sealed });
}

/** Deletes a token and removes it from workspaces. */
export function removeTokenOf(db: Queries, id: string) {
  return db.run(removeToken, { id });
}

/** Returns the token if a workspace of the project may use it; otherwise undefined. */
export function findUsableToken(db: Queries, id: string, organizationId: string, projectId: string) {
  return db.one(selectUsable, { id, organizationId, projectId });
}
