import { type Queries, sql, type Transaction } from '../../../../storage/index.ts';
import type { Page, Slice } from '../../../jsonapi/pagination.ts';
import { type Fragment, fragment, isOneOf, selectSlice } from '../../../query/dynamic.ts';
import type { Installation } from '../../provider/github/app/installation.ts';
import type { ConnectionStatus } from '../connection.ts';
import type { AppAccount, LinkedInstallation, OrganizationApp } from './app.ts';

const APP_COLUMNS = `a.id, a.organization_id AS "organizationId", o.name AS "organizationName", a.http_url AS "httpUrl",
  a.api_url AS "apiUrl", a.app_id AS "appId", a.client_id AS "clientId", a.slug, a.name, a.created_at AS "createdAt"`;
const APP_FROM = 'github_app a JOIN organization o ON o.id = a.organization_id';
const appByOrganization = sql<{ id: string }, OrganizationApp>(
  `SELECT ${APP_COLUMNS} FROM ${APP_FROM} WHERE a.organization_id = :id`,
);
const appById = sql<{ id: string }, OrganizationApp>(`SELECT ${APP_COLUMNS} FROM ${APP_FROM} WHERE a.id = :id`);
const selectSecrets = sql<{ id: string }, { secrets: Uint8Array }>('SELECT secrets FROM github_app WHERE id = :id');
type NewApp = { [Column in keyof Omit<OrganizationApp, 'organizationName'>]: OrganizationApp[Column] };
const insertAppStatement = sql<NewApp & { secrets: Uint8Array }>(
  `INSERT INTO github_app (id, organization_id, http_url, api_url, app_id, client_id, slug, name, secrets, created_at)
   VALUES (:id, :organizationId, :httpUrl, :apiUrl, :appId, :clientId, :slug, :name, :secrets, :createdAt)`,
);
const removeAppStatement = sql<{ id: string }>('DELETE FROM github_app WHERE id = :id');
const removeRepositoriesOfApp = sql<{ id: string }>(
  `DELETE FROM vcs_repository WHERE connection_id IN
     (SELECT id FROM github_app_installation WHERE github_app_id = :id)`,
);
const removeRepositories = sql<{ id: string }>('DELETE FROM vcs_repository WHERE connection_id = :id');
const removeInstallationStatement = sql<{ id: string }>('DELETE FROM github_app_installation WHERE id = :id');

const COLUMNS = `i.id, i.organization_id AS "organizationId", o.name AS "organizationName",
  i.github_app_id AS "githubAppId", i.installation_id AS "installationId", i.account, i.account_type AS "accountType",
  i.icon_url AS "iconUrl", i.installation_url AS "installationUrl", i.status, i.status_reason AS reason,
  i.status_since AS since, i.checked_at AS "checkedAt",
  (SELECT count(*) FROM vcs_workspace w WHERE w.connection_id = i.id) AS workspaces`;
const FROM = 'github_app_installation i JOIN organization o ON o.id = i.organization_id';
interface InstallationRow extends Omit<LinkedInstallation, 'health'> {
  readonly status: ConnectionStatus;
  readonly reason: string | null;
  readonly since: number | null;
  readonly checkedAt: number | null;
}
const selectInstallation = sql<{ id: string }, InstallationRow>(`SELECT ${COLUMNS} FROM ${FROM} WHERE i.id = :id`);
const upsertInstallation = sql<{
  id: string;
  organizationId: string;
  githubAppId: string;
  installationId: number;
  account: string;
  accountType: string;
  iconUrl: string;
  installationUrl: string;
  target: string;
  now: number;
}>(
  `INSERT INTO github_app_installation (id, organization_id, github_app_id, installation_id, account, account_type,
     icon_url, installation_url, target, due_at, created_at)
   VALUES (:id, :organizationId, :githubAppId, :installationId, :account, :accountType, :iconUrl, :installationUrl,
     :target, :now, :now)
   ON CONFLICT (github_app_id, installation_id) DO UPDATE SET account = excluded.account,
     account_type = excluded.account_type, icon_url = excluded.icon_url,
     installation_url = excluded.installation_url, due_at = excluded.due_at`,
);
const selectByNumber = sql<{ githubAppId: string; installationId: number }, { id: string }>(
  `SELECT id FROM github_app_installation WHERE github_app_id = :githubAppId AND installation_id = :installationId`,
);
const selectUsable = sql<{ id: string; organizationId: string }, { id: string }>(
  'SELECT id FROM github_app_installation WHERE id = :id AND organization_id = :organizationId',
);
const upsertAccount = sql<{ id: string; userId: string; githubAppId: string; name: string; now: number }>(
  `INSERT INTO github_app_account (id, account_id, github_app_id, name, created_at)
   VALUES (:id, :userId, :githubAppId, :name, :now)
   ON CONFLICT (account_id, github_app_id) DO UPDATE SET name = excluded.name`,
);

function installationOf({ status, reason, since, checkedAt, ...row }: InstallationRow): LinkedInstallation {
  return { ...row, health: { status, reason, since, checkedAt, scopes: [] } };
}

/** Finds the App of an organization. */
export function findAppOfOrganization(db: Queries, organizationId: string) {
  return db.one(appByOrganization, { id: organizationId });
}

export function findApp(db: Queries, id: string) {
  return db.one(appById, { id });
}

/** Returns the encrypted secrets of an App. */
export async function findAppSecrets(db: Queries, id: string) {
  return (await db.one(selectSecrets, { id }))?.secrets;
}

/** @throws UniqueViolation when the organization has an App */
export function insertApp(tx: Transaction, app: NewApp, secrets: Uint8Array) {
  return tx.run(insertAppStatement, { ...app, secrets });
}

/** Deletes an App with its installations and what the server knows of their repositories. */
export async function removeApp(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeRepositoriesOfApp, { id });
  await tx.run(removeAppStatement, { id });
}

/** Deletes an installation and what the server knows of its repositories. */
export async function removeInstallation(tx: Transaction, id: string): Promise<void> {
  await tx.run(removeRepositories, { id });
  await tx.run(removeInstallationStatement, { id });
}

export async function findInstallation(db: Queries, id: string): Promise<LinkedInstallation | undefined> {
  const row = await db.one(selectInstallation, { id });
  return row && installationOf(row);
}

/** Filters of a list of installations. */
export interface InstallationFilter {
  readonly name?: string | undefined;
  readonly installationId?: number | undefined;
}

/** Lists the installations of organizations. */
export async function listInstallations(
  db: Queries,
  organizationIds: readonly string[],
  { name, installationId }: InstallationFilter,
  page: Page,
): Promise<Slice<LinkedInstallation>> {
  if (organizationIds.length === 0) return { items: [], total: 0 };
  const where: Fragment[] = [
    isOneOf('i.organization_id', organizationIds),
    ...(name === undefined ? [] : [fragment`i.account = ${name}`]),
    ...(installationId === undefined ? [] : [fragment`i.installation_id = ${installationId}`]),
  ];
  const found = await selectSlice<InstallationRow>(db, { columns: COLUMNS, from: FROM, where, orderBy: 'i.id' }, page);
  return { ...found, items: found.items.map(installationOf) };
}

/** Stores an installation, which is due for a check. A known one keeps its id. */
export function linkInstallation(
  tx: Transaction,
  { id, organizationId }: OrganizationApp,
  found: Installation,
  row: { readonly id: string; readonly target: string; readonly now: number },
) {
  return tx.run(upsertInstallation, {
    ...{ ...row, organizationId, githubAppId: id, installationId: found.id, account: found.name },
    ...{ accountType: found.type, iconUrl: found.iconUrl, installationUrl: found.url },
  });
}

/** Returns the id of an installation by GitHub's number of it. */
export async function findInstallationOf(db: Queries, githubAppId: string, installationId: number) {
  return (await db.one(selectByNumber, { githubAppId, installationId }))?.id;
}

/** Returns the installation if workspaces of the organization may use it; otherwise undefined. */
export function findUsableInstallation(db: Queries, id: string, organizationId: string) {
  return db.one(selectUsable, { id, organizationId });
}

/** Stores the GitHub account of a user. */
export function storeAccount(
  tx: Transaction,
  row: { readonly id: string; userId: string; githubAppId: string; name: string; now: number },
) {
  return tx.run(upsertAccount, row);
}

/** Lists the GitHub accounts of a user. */
export function listAccounts(db: Queries, userId: string, page: Page): Promise<Slice<AppAccount>> {
  const columns = 'c.id, c.account_id AS "userId", c.name, c.created_at AS "createdAt"';
  const where = [fragment`c.account_id = ${userId}`];
  return selectSlice<AppAccount>(db, { columns, from: 'github_app_account c', where, orderBy: 'c.id' }, page);
}
