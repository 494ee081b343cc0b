import { type Queries, sql } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { allOf, fragment, select } from '../../query/dynamic.ts';
import { isSeen, type Visible } from '../list/scope.ts';
import { COLUMNS, JOINS, NOT_DELETED, type WorkspaceRow, workspaceOf } from '../model/row.ts';
import type { Workspace } from '../model/workspace.ts';

/** One permission to read state: `consumerId` may read the state of `workspaceId`. */
export interface Sharing {
  readonly workspaceId: string;
  readonly consumerId: string;
}

const insertConsumer = sql<{ workspaceId: string; consumerId: string }>(
  `INSERT INTO remote_state_consumer (workspace_id, consumer_id, consumer_name)
   SELECT :workspaceId, w.id, w.name FROM workspace w WHERE w.id = :consumerId AND ${NOT_DELETED}
   ON CONFLICT (consumer_id, workspace_id) DO NOTHING`,
);
const removeConsumerStatement = sql<{ workspaceId: string; consumerId: string }>(
  'DELETE FROM remote_state_consumer WHERE consumer_id = :consumerId AND workspace_id = :workspaceId',
);
const removeConsumers = sql<{ workspaceId: string }>(
  'DELETE FROM remote_state_consumer WHERE workspace_id = :workspaceId',
);
const removeAll = sql<{ id: string }>(
  'DELETE FROM remote_state_consumer WHERE workspace_id = :id OR consumer_id = :id',
);
const selectAll = sql<{ id: string }, Sharing>(
  `SELECT workspace_id AS "workspaceId", consumer_id AS "consumerId" FROM remote_state_consumer
   WHERE workspace_id = :id OR consumer_id = :id`,
);
const renameConsumerStatement = sql<{ id: string; name: string }>(
  'UPDATE remote_state_consumer SET consumer_name = :name WHERE consumer_id = :id',
);
/** Adds a consumer. Does nothing if it is one already, or if the workspace was deleted. */
export function addConsumer(db: Queries, workspaceId: string, consumerId: string) {
  return db.run(insertConsumer, { workspaceId, consumerId });
}

/** Removes a consumer. Does nothing if it is not one. */
export function removeConsumer(db: Queries, workspaceId: string, consumerId: string) {
  return db.run(removeConsumerStatement, { workspaceId, consumerId });
}

/** Removes all consumers of a workspace. */
export function removeAllConsumers(db: Queries, workspaceId: string) {
  return db.run(removeConsumers, { workspaceId });
}

/** Returns the links in which the workspace is either side. */
export function listSharings(db: Queries, id: string) {
  return db.all(selectAll, { id });
}

/** Removes the links in which the workspace is either side. */
export function detachConsumer(db: Queries, id: string) {
  return db.run(removeAll, { id });
}

/** Updates the consumer's name in its links. Lists are sorted by this copy. */
export function renameConsumer(db: Queries, id: string, name: string) {
  return db.run(renameConsumerStatement, { id, name });
}

/** Returns a page of the named consumers, by name. `visible` is undefined for an actor who sees all of them. */
export async function listConsumers(
  db: Queries,
  workspaceId: string,
  visible: Visible | undefined,
  page: Page,
): Promise<Slice<Workspace>> {
  const conditions = [fragment`d.workspace_id = ${workspaceId}`, ...(visible ? [isSeen(visible)] : [])];
  const matching = fragment`from remote_state_consumer d cross join workspace w
    where ${allOf([fragment`w.id = d.consumer_id`, ...conditions])}`;
  const rows = await select(
    db,
    fragment<WorkspaceRow>`select ${fragment.raw(COLUMNS)}
      from (select d.consumer_id as id ${matching} order by d.consumer_name limit ${page.size} offset ${page.offset}) p
      join workspace w on w.id = p.id ${fragment.raw(JOINS)} order by w.name`,
  );
  const [counted] = await select(db, fragment<{ count: number }>`select count(*) as count ${matching}`);
  return { items: rows.map(workspaceOf), total: counted?.count ?? 0 };
}
