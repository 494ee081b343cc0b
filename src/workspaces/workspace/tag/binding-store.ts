import { type Queries, sql } from '../../../storage/index.ts';
import { fragment, select } from '../../query/dynamic.ts';

/** A key-value tag, bound to a workspace. */
export interface Binding {
  readonly id: string;
  readonly workspaceId: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

/** A binding with copies of the columns by which lists search and sort. */
export interface NewBinding extends Binding {
  readonly organizationId: string;
  readonly workspaceName: string;
}

const COLUMNS = 'id, workspace_id AS "workspaceId", key, value, created_at AS "createdAt"';

const selectOfWorkspace = sql<{ workspaceId: string }, Binding>(
  `SELECT ${COLUMNS} FROM tag_binding WHERE workspace_id = :workspaceId ORDER BY key`,
);
const upsertBinding = sql<{ [Column in keyof NewBinding]: NewBinding[Column] }>(
  `INSERT INTO tag_binding (id, organization_id, workspace_id, workspace_name, key, value, created_at)
   VALUES (:id, :organizationId, :workspaceId, :workspaceName, :key, :value, :createdAt)
   ON CONFLICT (workspace_id, key) DO UPDATE SET value = excluded.value`,
);
const selectLocked = sql<{ workspaceId: string }, { key: string }>(
  `SELECT b.key FROM workspace w JOIN project_tag_binding b ON b.project_id = w.project_id
   JOIN reserved_tag_key r ON r.organization_id = w.organization_id AND r.key = b.key AND r.disable_overrides = 1
   WHERE w.id = :workspaceId`,
);
const removeBindingStatement = sql<{ id: string }>('DELETE FROM tag_binding WHERE id = :id');
const renameBindingsStatement = sql<{ workspaceId: string; name: string }>(
  'UPDATE tag_binding SET workspace_name = :name WHERE workspace_id = :workspaceId',
);

/** Returns the bindings of a workspace by key. */
export function bindingsOfWorkspace(db: Queries, workspaceId: string) {
  return db.all(selectOfWorkspace, { workspaceId });
}

/** Returns the bindings of several workspaces by key. Requires at least one id. */
export function bindingsOfWorkspaces(db: Queries, workspaceIds: readonly string[]) {
  const ids = fragment.join(workspaceIds);
  return select(
    db,
    fragment<Binding>`select ${fragment.raw(COLUMNS)} from tag_binding where workspace_id in (${ids}) order by key`,
  );
}

/** Returns the keys that the workspace cannot override. */
export async function lockedKeys(db: Queries, workspaceId: string): Promise<ReadonlySet<string>> {
  return new Set((await db.all(selectLocked, { workspaceId })).map(({ key }) => key));
}

/** Inserts a binding. An existing binding of the key gets the new value and keeps its id. */
export function putBinding(db: Queries, binding: NewBinding) {
  return db.run(upsertBinding, { ...binding });
}

/** Deletes bindings. Returns the number of rows. */
export function removeBinding(db: Queries, id: string) {
  return db.run(removeBindingStatement, { id });
}

/** Updates the copies of the workspace's name. Lists are sorted by these copies. */
export function renameBindings(db: Queries, workspaceId: string, name: string) {
  return db.run(renameBindingsStatement, { workspaceId, name });
}
