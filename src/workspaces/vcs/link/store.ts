import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import { RowOutbox, UNCLAIMED } from '../../delivery/index.ts';
import { fragment, isOneOf, select } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { Followed, Link } from './link.ts';

/** Row of the queue of links whose repository is not known yet. */
export interface LinkRow {
  /** Id of the workspace. */
  readonly id: string;
  readonly organizationId: string;
  readonly connectionId: string;
  readonly identifier: string;
}

/** Links to look up at their providers. */
export const unresolvedLinks = new RowOutbox<LinkRow>({
  table: 'vcs_workspace',
  columns: 'id, organization_id AS "organizationId", connection_id AS "connectionId", identifier',
});

const COLUMNS = `workspace_id AS "workspaceId", organization_id AS "organizationId",
  connection_id AS "connectionId", identifier, branch, follows_tags AS "followsTags", first_run AS "firstRun",
  repository_id AS "repositoryId", problem`;

type NewLink = { readonly [Column in keyof Followed]: Followed[Column] } & {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly firstRun: number;
};

const putLinkStatement = sql<NewLink & { now: number }>(
  `INSERT INTO vcs_workspace (id, workspace_id, organization_id, connection_id, identifier, branch, follows_tags,
     first_run, linked_at, target, due_at)
   VALUES (:workspaceId, :workspaceId, :organizationId, :connectionId, :identifier, :branch, :followsTags, :firstRun,
     :now, :connectionId, :now)
   ON CONFLICT (workspace_id) DO UPDATE SET connection_id = :connectionId, identifier = :identifier, branch = :branch,
     follows_tags = :followsTags, first_run = :firstRun, repository_id = NULL, problem = NULL, linked_at = :now,
     target = :connectionId, due_at = CAST(:now AS BIGINT), failures = 0, ${UNCLAIMED}`,
);
const updateFollowed = sql<{ workspaceId: string; branch: string | null; followsTags: number }>(
  'UPDATE vcs_workspace SET branch = :branch, follows_tags = :followsTags WHERE workspace_id = :workspaceId',
);
const removeLinkStatement = sql<{ workspaceId: string }>('DELETE FROM vcs_workspace WHERE workspace_id = :workspaceId');
const selectLink = sql<{ workspaceId: string }, Link>(
  `SELECT ${COLUMNS} FROM vcs_workspace WHERE workspace_id = :workspaceId`,
);
const selectLinksOf = sql<{ repositoryId: string; most: number }, Link>(
  `SELECT ${COLUMNS} FROM vcs_workspace WHERE repository_id = :repositoryId ORDER BY workspace_id LIMIT :most`,
);
const countLinksOf = sql<{ repositoryId: string }, { count: number }>(
  'SELECT count(*) AS count FROM vcs_workspace WHERE repository_id = :repositoryId',
);
const bindStatement = sql<{ workspaceId: string; repositoryId: string | null; problem: string | null }>(
  `UPDATE vcs_workspace SET repository_id = :repositoryId, problem = :problem WHERE workspace_id = :workspaceId`,
);
const makeDue = sql<{ id: string; dueAt: number }>(
  'UPDATE vcs_workspace SET due_at = CAST(:dueAt AS BIGINT) WHERE id = :id',
);

/** A workspace that an earlier version has written, which runs beside this one during an update, has no link. */
const addMissing = (settingOf: (name: string) => string) =>
  sql<{ step: number; now: number }>(
    `INSERT INTO vcs_workspace (id, workspace_id, organization_id, connection_id, identifier, branch, follows_tags,
       first_run, linked_at, target, due_at)
     SELECT w.id, w.id, w.organization_id, w.oauth_token_id, ${settingOf('identifier')}, ${settingOf('branch')},
       CASE WHEN ${settingOf('tags-regex')} IS NULL THEN 0 ELSE 1 END, 0, w.updated_at, w.oauth_token_id, :now
     FROM workspace w WHERE w.oauth_token_id IS NOT NULL AND ${NOT_DELETED} AND ${settingOf('identifier')} IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM vcs_workspace l WHERE l.workspace_id = w.id)
     LIMIT :step ON CONFLICT DO NOTHING`,
  );
const addMissingStatements = {
  sqlite: addMissing((name) => `json_extract(w.settings, '$."vcs-repo"."${name}"')`),
  postgres: addMissing((name) => `(w.settings::json #>> '{vcs-repo,${name}}')`),
};

/** Adds some links of workspaces that have none. Returns how many. */
export function addMissingLinks(db: Queries, now: number, step: number): Promise<number> {
  return db.run(addMissingStatements[db.dialect], { now, step });
}

/** Stores which repository a workspace follows. It is looked up at the provider again. */
export function putLink(tx: Transaction, link: NewLink, now: number) {
  return tx.run(putLinkStatement, { ...link, now });
}

/** Stores which branch a workspace follows in the same repository. */
export function setFollowed(tx: Transaction, workspaceId: string, { branch, followsTags }: Followed) {
  return tx.run(updateFollowed, { workspaceId, branch, followsTags });
}

export function removeLink(tx: Transaction, workspaceId: string) {
  return tx.run(removeLinkStatement, { workspaceId });
}

export function findLink(db: Queries, workspaceId: string): Promise<Link | undefined> {
  return db.one(selectLink, { workspaceId });
}

/**
 * Returns those of the workspaces whose project may no longer use the connection by which they follow a repository.
 * Only connections of providers belong to projects; installations of GitHub Apps belong to the organization.
 */
export async function withdrawnWorkspaces(db: Queries, workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (workspaceIds.length === 0) return new Set();
  const rows = await select(
    db,
    fragment<{ id: string }>`select w.id from vcs_workspace l join workspace w on w.id = l.workspace_id
      join oauth_token t on t.id = l.connection_id join oauth_client c on c.id = t.oauth_client_id
      where ${isOneOf('w.id', workspaceIds)} and c.organization_scoped = 0 and not exists (
        select 1 from oauth_client_project x where x.oauth_client_id = c.id and x.project_id = w.project_id)`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the workspaces that follow a repository. */
export function linksOf(db: Queries, repositoryId: string, most: number): Promise<Link[]> {
  return db.all(selectLinksOf, { repositoryId, most });
}

/** Returns the links of workspaces. */
export async function linksOfWorkspaces(db: Queries, workspaceIds: readonly string[]): Promise<Link[]> {
  if (workspaceIds.length === 0) return [];
  const columns = fragment.raw(COLUMNS);
  return select(
    db,
    fragment<Link>`select ${columns} from vcs_workspace where ${isOneOf('workspace_id', workspaceIds)}`,
  );
}

export async function countLinks(db: Queries, repositoryId: string): Promise<number> {
  return (await db.one(countLinksOf, { repositoryId }))?.count ?? 0;
}

/** Counts the workspaces that follow each repository; a repository without one has no entry. */
export async function countLinksOfEach(db: Queries, repositoryIds: readonly string[]) {
  if (repositoryIds.length === 0) return [];
  return select(
    db,
    fragment<{ repositoryId: string; count: number }>`
      select repository_id as "repositoryId", count(*) as count from vcs_workspace
        where ${isOneOf('repository_id', repositoryIds)} group by repository_id`,
  );
}

/** Binds a workspace to a repository, or says why that is impossible. */
export function bindLink(tx: Transaction, workspaceId: string, repositoryId: string | null, problem: string | null) {
  return tx.run(bindStatement, { workspaceId, repositoryId, problem });
}

/** Sets the time at which a link is looked up again. */
export function setLinkDue(tx: Transaction, id: string, dueAt: number) {
  return tx.run(makeDue, { id, dueAt });
}
