import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED, notDeleted } from '../../workspace/index.ts';

/** A run trigger: an applied run in the source starts a run in the workspace. Times are milliseconds since 1970. */
export interface RunTrigger {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly organizationId: string;
  readonly createdAt: number;
}

/** Direction: `inbound` triggers start runs of the workspace, `outbound` ones are started by its runs. */
export type Direction = 'inbound' | 'outbound';

const COLUMNS = `t.id, t.workspace_id AS "workspaceId", w.name AS "workspaceName", t.source_id AS "sourceId",
  s.name AS "sourceName", w.organization_id AS "organizationId", t.created_at AS "createdAt"`;
// This join excludes triggers with a deleted workspace.
const FROM = `run_trigger t JOIN workspace w ON w.id = t.workspace_id AND ${NOT_DELETED}
  JOIN workspace s ON s.id = t.source_id AND ${notDeleted('s')}`;

const selectById = sql<{ id: string }, RunTrigger>(`SELECT ${COLUMNS} FROM ${FROM} WHERE t.id = :id`);
const selectOutbound = sql<{ sourceId: string; most: number }, RunTrigger>(
  `SELECT ${COLUMNS} FROM ${FROM} WHERE t.source_id = :sourceId ORDER BY t.id LIMIT :most`,
);
const countSources = sql<{ workspaceId: string }, { count: number }>(
  'SELECT count(*) AS count FROM run_trigger WHERE workspace_id = :workspaceId',
);
const insertTrigger = sql<{ id: string; workspaceId: string; sourceId: string; createdAt: number }, { id: string }>(
  `INSERT INTO run_trigger (id, workspace_id, source_id, created_at)
   VALUES (:id, :workspaceId, :sourceId, :createdAt)
   ON CONFLICT (workspace_id, source_id) DO NOTHING RETURNING id`,
);
const removeTrigger = sql<{ id: string }>('DELETE FROM run_trigger WHERE id = :id');

const COLUMN = { inbound: fragment`t.workspace_id`, outbound: fragment`t.source_id` } as const;

/** Finds a trigger. Returns undefined if there is none. */
export function findRunTrigger(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the triggers, oldest first. */
export function listRunTriggers(
  db: Queries,
  workspaceId: string,
  direction: Direction,
  page: Page,
): Promise<Slice<RunTrigger>> {
  const where = [fragment`${COLUMN[direction]} = ${workspaceId}`];
  return selectSlice<RunTrigger>(db, { columns: COLUMNS, from: FROM, where, orderBy: 't.id' }, page);
}

/** Returns the triggers that runs of a workspace fire. */
export function outboundOf(db: Queries, sourceId: string, most: number) {
  return db.all(selectOutbound, { sourceId, most });
}

export async function sourcesOf(db: Queries, workspaceId: string): Promise<number> {
  return (await db.one(countSources, { workspaceId }))?.count ?? 0;
}

/** Inserts a trigger. Returns undefined if it exists already. */
export function insertRunTrigger(
  db: Queries,
  trigger: { id: string; workspaceId: string; sourceId: string; createdAt: number },
) {
  return db.one(insertTrigger, trigger);
}

export function removeRunTrigger(db: Queries, id: string) {
  return db.run(removeTrigger, { id });
}
