import { type Database, type Queries, sql } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';
import type { ConnectionStatus } from '../connection/connection.ts';

/** @limit connections and repositories that `lockkeeper diagnose` names, each -> the others are only counted */
const MOST_NAMED = 20;

/** Connections or repositories that workspaces use. */
export interface UsedFacts {
  readonly total: number;
  readonly failing: number;
  /** Names of some that fail, with their organization and their state. */
  readonly names: readonly string[];
}

type NoValues = Record<string, never>;
type Named = { readonly name: string };

/** Connections by which workspaces follow repositories. */
const CONNECTIONS = `(SELECT t.id, t.organization_id, t.status, coalesce(c.name, c.http_url) AS label
    FROM oauth_token t JOIN oauth_client c ON c.id = t.oauth_client_id
  UNION ALL SELECT i.id, i.organization_id, i.status, i.account AS label FROM github_app_installation i) c
  WHERE EXISTS (SELECT 1 FROM vcs_workspace w WHERE w.connection_id = c.id)`;
const REFUSED = `c.status IN ('refused', 'unreachable')`;
/** Repositories that workspaces follow. */
const REPOSITORIES = `vcs_repository r WHERE EXISTS (SELECT 1 FROM vcs_workspace w WHERE w.repository_id = r.id)`;

const countConnections = sql<NoValues, { total: number; failing: number }>(
  `SELECT count(*) AS total, coalesce(sum(CASE WHEN ${REFUSED} THEN 1 ELSE 0 END), 0) AS failing FROM ${CONNECTIONS}`,
);
const nameConnections = sql<NoValues, Named>(
  `SELECT o.name || ': ' || f.label || ' (' || f.status || ')' AS name FROM
     (SELECT c.* FROM ${CONNECTIONS} AND ${REFUSED} ORDER BY c.id LIMIT ${MOST_NAMED}) f
   JOIN organization o ON o.id = f.organization_id ORDER BY name`,
);
const countRepositories = sql<NoValues, { total: number; failing: number }>(
  `SELECT count(*) AS total, coalesce(sum(CASE WHEN r.health <> 'ok' THEN 1 ELSE 0 END), 0) AS failing
   FROM ${REPOSITORIES}`,
);
const nameRepositories = sql<NoValues, Named>(
  `SELECT o.name || ': ' || f.display_identifier || ' (' || f.health || ')' AS name FROM
     (SELECT r.* FROM ${REPOSITORIES} AND r.health <> 'ok' ORDER BY r.id LIMIT ${MOST_NAMED}) f
   JOIN organization o ON o.id = f.organization_id ORDER BY name`,
);

/** Returns the connections and repositories of all organizations that work or fail, for the diagnosis. */
export async function vcsFacts(database: Database): Promise<{ connections: UsedFacts; repositories: UsedFacts }> {
  const none = { total: 0, failing: 0 };
  const namesOf = (rows: readonly Named[]) => rows.map(({ name }) => name);
  return {
    connections: {
      ...((await database.one(countConnections, {})) ?? none),
      names: namesOf(await database.all(nameConnections, {})),
    },
    repositories: {
      ...((await database.one(countRepositories, {})) ?? none),
      names: namesOf(await database.all(nameRepositories, {})),
    },
  };
}

/** Counts the connections by which workspaces follow repositories, by the status of their last check. */
export function connectionsByStatus(db: Queries) {
  const from = fragment.raw(CONNECTIONS);
  return select(
    db,
    fragment<{ status: ConnectionStatus; count: number }>`select c.status, count(*) as count from ${from}
      group by c.status`,
  );
}

/** Counts the repositories that workspaces follow, by health. */
export function repositoriesByHealth(db: Queries) {
  const from = fragment.raw(REPOSITORIES);
  return select(
    db,
    fragment<{ health: string; count: number }>`select r.health, count(*) as count from ${from} group by r.health`,
  );
}

/** Counts the events that are not done, by state. */
export function openEventsByState(db: Queries) {
  return select(
    db,
    fragment<{ state: string; count: number }>`select e.state, count(*) as count from vcs_event e
      where e.state <> 'done' group by e.state`,
  );
}
