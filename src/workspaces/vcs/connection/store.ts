import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Fragment, fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import type { OAuthClient, OAuthToken } from './connection.ts';

const COLUMNS = `c.id, c.organization_id AS "organizationId", o.name AS "organizationName", c.name,
  c.service_provider AS "serviceProvider", c.http_url AS "httpUrl", c.api_url AS "apiUrl", c.consumer_key AS key,
  c.rsa_public_key AS "rsaPublicKey", c.organization_scoped AS "organizationScoped", c.agent_pool_id AS "agentPoolId",
  c.created_at AS "createdAt"`;
const FROM = 'oauth_client c JOIN organization o ON o.id = c.organization_id';

const TOKEN_COLUMNS = `t.id, t.oauth_client_id AS "oauthClientId", t.organization_id AS "organizationId",
  CASE WHEN t.ssh_key IS NULL THEN 0 ELSE 1 END AS "hasSshKey", t.created_at AS "createdAt"`;

const selectClient = sql<{ id: string }, OAuthClient>(`SELECT ${COLUMNS} FROM ${FROM} WHERE c.id = :id`);
type ClientRow = Omit<OAuthClient, 'organizationName'>;
const insertClientStatement = sql<{ [Column in keyof ClientRow]: ClientRow[Column] } & { secrets: Uint8Array }>(
  `INSERT INTO oauth_client (id, organization_id, name, service_provider, http_url, api_url, consumer_key,
     rsa_public_key, secrets, organization_scoped, agent_pool_id, created_at)
   VALUES (:id, :organizationId, :name, :serviceProvider, :httpUrl, :apiUrl, :key,
     :rsaPublicKey, :secrets, :organizationScoped, :agentPoolId, :createdAt)`,
);
// Locks the row, because an update depends on the current values.
const claimClientStatement = sql<{ id: string }, { secrets: Uint8Array }>(
  'UPDATE oauth_client SET organization_scoped = organization_scoped WHERE id = :id RETURNING secrets',
);
const updateClientStatement = sql<{
  id: string;
  name: string | null;
  key: string | null;
  rsaPublicKey: string | null;
  secrets: Uint8Array;
  organizationScoped: number;
  agentPoolId: string | null;
}>(
  `UPDATE oauth_client SET name = :name, consumer_key = :key, rsa_public_key = :rsaPublicKey, secrets = :secrets,
     organization_scoped = :organizationScoped, agent_pool_id = :agentPoolId
   WHERE id = :id`,
);
const removeClientStatement = sql<{ id: string }>('DELETE FROM oauth_client WHERE id = :id');
const insertProject = sql<{ id: string; projectId: string }>(
  `INSERT INTO oauth_client_project (oauth_client_id, project_id) VALUES (:id, :projectId) ON CONFLICT DO NOTHING`,
);
const removeProject = sql<{ id: string; projectId: string }>(
  'DELETE FROM oauth_client_project WHERE oauth_client_id = :id AND project_id = :projectId',
);

const selectToken = sql<{ id: string }, OAuthToken>(`SELECT ${TOKEN_COLUMNS} FROM oauth_token t WHERE t.id = :id`);
const selectFirstToken = sql<{ clientId: string }, { id: string }>(
  'SELECT id FROM oauth_token WHERE oauth_client_id = :clientId ORDER BY id LIMIT 1',
);
const insertToken = sql<{
  id: string;
  oauthClientId: string;
  organizationId: string;
  token: Uint8Array;
  createdAt: number;
}>(
  `INSERT INTO oauth_token (id, oauth_client_id, organization_id, token, created_at)
   VALUES (:id, :oauthClientId, :organizationId, :token, :createdAt)`,
);
const updateToken = sql<{ id: string; token: Uint8Array }>('UPDATE oauth_token SET token = :token WHERE id = :id');
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
export function findClient(db: Queries, id: string) {
  return db.one(selectClient, { id });
}

/** Returns the connections of an organization, oldest first. */
export function listClients(db: Queries, organizationId: string, page: Page): Promise<Slice<OAuthClient>> {
  const where = [fragment`c.organization_id = ${organizationId}`];
  return selectSlice<OAuthClient>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'c.id' }, page);
}

/** Returns the tokens and projects of connections in one query. */
export function clientLinks(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([]);
  return select(
    db,
    fragment<{ clientId: string; kind: 'token' | 'project'; target: string }>`
      select t.oauth_client_id as "clientId", 'token' as kind, t.id as target from oauth_token t
        where ${isOneOf('t.oauth_client_id', ids)}
      union all
      select x.oauth_client_id, 'project', x.project_id from oauth_client_project x
        where ${isOneOf('x.oauth_client_id', ids)}
      order by 3`,
  );
}

export function insertClient(tx: Transaction, row: ClientRow, secrets: Uint8Array) {
  return tx.run(insertClientStatement, { ...row, secrets });
}

/** Locks the row for the rest of the transaction. Returns undefined when it is gone. */
export function claimClient(tx: Transaction, id: string) {
  return tx.one(claimClientStatement, { id });
}

/** Updates a connection after `claimClient`. */
export function updateClient(tx: Transaction, row: ClientRow, secrets: Uint8Array) {
  const { id, name, key, rsaPublicKey, organizationScoped, agentPoolId } = row;
  return tx.run(updateClientStatement, { id, name, key, rsaPublicKey, organizationScoped, agentPoolId, secrets });
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
export function findToken(db: Queries, id: string) {
  return db.one(selectToken, { id });
}

/** Returns the tokens of an organization or of one connection, oldest first. */
export function listClientTokens(
  db: Queries,
  of: { readonly organizationId: string } | { readonly clientId: string },
  page: Page,
): Promise<Slice<OAuthToken>> {
  const where: Fragment =
    'clientId' in of
      ? fragment`t.oauth_client_id = ${of.clientId}`
      : fragment`t.organization_id = ${of.organizationId}`;
  const query = { columns: TOKEN_COLUMNS, from: 'oauth_token t', where: [where], orderBy: 't.id' };
  return selectSlice<OAuthToken>(db, query, page);
}

/** Returns the token of a connection, or undefined. */
export async function firstTokenId(db: Queries, clientId: string) {
  return (await db.one(selectFirstToken, { clientId }))?.id;
}

/** Returns the tokens of connections, oldest first. */
export function tokensOf(db: Queries, clientIds: readonly string[]) {
  if (clientIds.length === 0) return Promise.resolve([]);
  const from = fragment.raw(`${TOKEN_COLUMNS} FROM oauth_token t`);
  return select(
    db,
    fragment<OAuthToken>`select ${from} where ${isOneOf('t.oauth_client_id', clientIds)} order by t.id`,
  );
}

export function insertTokenOf(tx: Transaction, row: Omit<OAuthToken, 'hasSshKey'>, sealed: Uint8Array) {
  return tx.run(insertToken, { ...row, token: sealed });
}

export function setToken(tx: Transaction, id: string, sealed: Uint8Array) {
  return tx.run(updateToken, { id, token: sealed });
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
