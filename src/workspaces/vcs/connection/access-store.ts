import { type Queries, sql } from '../../../storage/index.ts';
import { type Connection, isInstallation } from './connection.ts';

interface ConnectionRow extends Omit<Connection, 'allowedRepositories'> {
  readonly allowedRepositories: string;
}

const selectToken = sql<{ id: string }, ConnectionRow>(
  `SELECT t.id, t.organization_id AS "organizationId", c.service_provider AS "serviceProvider",
     c.http_url AS "httpUrl", c.api_url AS "apiUrl", c.name, t.status, c.agent_pool_id AS "agentPoolId",
     c.allowed_repositories AS "allowedRepositories"
   FROM oauth_token t JOIN oauth_client c ON c.id = t.oauth_client_id WHERE t.id = :id`,
);
const selectInstallation = sql<{ id: string }, ConnectionRow>(
  `SELECT i.id, i.organization_id AS "organizationId",
     CASE WHEN a.http_url = 'https://github.com' THEN 'github' ELSE 'github_enterprise' END AS "serviceProvider",
     a.http_url AS "httpUrl", a.api_url AS "apiUrl", i.account AS name, i.status, NULL AS "agentPoolId",
     '[]' AS "allowedRepositories"
   FROM github_app_installation i JOIN github_app a ON a.id = i.github_app_id WHERE i.id = :id`,
);

/** Finds a connection by the id of its token or installation. */
export async function findConnection(db: Queries, id: string): Promise<Connection | undefined> {
  const row = await db.one(isInstallation(id) ? selectInstallation : selectToken, { id });
  return row && { ...row, allowedRepositories: JSON.parse(row.allowedRepositories) as string[] };
}
