import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { fragment, isOneOf, select, selectSlice } from '../../query/dynamic.ts';
import { NOT_DELETED } from '../../workspace/index.ts';
import type { Category, VariableOwner } from './variable.ts';

/** A variable as stored; `value` is encrypted. */
export interface VariableRow {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly setId: string | null;
  readonly key: string;
  readonly category: Category;
  readonly value: Uint8Array;
  /** Size of the plaintext in bytes. */
  readonly size: number;
  readonly description: string | null;
  readonly hcl: number;
  readonly sensitive: number;
  readonly applyOnly: number;
  readonly versionId: string;
  readonly createdAt: number;
}

/** Bytes of a variable in the document of a job, in addition to its key and value. */
const BESIDE = 100;

const COLUMNS = `id, workspace_id AS "workspaceId", variable_set_id AS "setId", key, category, value, size, description,
  hcl, sensitive, apply_only AS "applyOnly", version_id AS "versionId", created_at AS "createdAt"`;

type Row = { [Column in keyof VariableRow]: VariableRow[Column] };
const insertVariableStatement = sql<Row, { id: string }>(
  `INSERT INTO variable (id, workspace_id, variable_set_id, key, category, value, size, description, hcl, sensitive,
     apply_only, version_id, created_at)
   VALUES (:id, :workspaceId, :setId, :key, :category, :value, :size, :description, :hcl, :sensitive,
     :applyOnly, :versionId, :createdAt)
   ON CONFLICT DO NOTHING RETURNING id`,
);
const updateVariableStatement = sql<Omit<Row, 'workspaceId' | 'setId' | 'createdAt'>>(
  `UPDATE variable SET key = :key, category = :category, value = :value, size = :size, description = :description,
     hcl = :hcl, sensitive = :sensitive, apply_only = :applyOnly, version_id = :versionId WHERE id = :id`,
);
const removeVariableStatement = sql<{ id: string }>('DELETE FROM variable WHERE id = :id');
const selectById = sql<{ id: string }, VariableRow>(`SELECT ${COLUMNS} FROM variable WHERE id = :id`);

/** Statements for either kind of owner. */
function statementsOf(column: 'workspace_id' | 'variable_set_id') {
  return {
    all: sql<{ owner: string }, VariableRow>(`SELECT ${COLUMNS} FROM variable WHERE ${column} = :owner ORDER BY id`),
    named: sql<{ owner: string; category: string; key: string }, { id: string }>(
      `SELECT id FROM variable WHERE ${column} = :owner AND category = :category AND key = :key`,
    ),
    totals: sql<{ owner: string }, { count: number; bytes: number }>(
      `SELECT COUNT(*) AS count, COALESCE(SUM(size), 0) AS bytes FROM variable WHERE ${column} = :owner`,
    ),
    removeAll: sql<{ owner: string }>(`DELETE FROM variable WHERE ${column} = :owner`),
    column,
  };
}
const OF = { workspaces: statementsOf('workspace_id'), varsets: statementsOf('variable_set_id') };

// A deleted workspace keeps its row for a while, under a name that starts with a tilde.
const selectIds = sql<{ workspaceId: string }, { id: string }>(
  'SELECT id FROM variable WHERE workspace_id = :workspaceId ORDER BY id',
);
const selectWorkspace = sql<{ id: string }, { id: string }>(
  `SELECT id FROM workspace w WHERE id = :id AND ${NOT_DELETED}`,
);

/** Returns whether a workspace exists, in the transaction that adds a variable. */
export async function hasWorkspace(db: Queries, id: string): Promise<boolean> {
  return (await db.one(selectWorkspace, { id })) !== undefined;
}

/** Returns a variable, or undefined. */
export function findVariable(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the variables in the order of creation. */
export function listAllVariables(db: Queries, { type, id }: VariableOwner) {
  return db.all(OF[type].all, { owner: id });
}

/** Returns one page of the variables, in the order of creation. */
export function listVariables(db: Queries, { type, id }: VariableOwner, wanted: Page) {
  const where = [fragment`${fragment.raw(OF[type].column)} = ${id}`];
  return selectSlice<VariableRow>(db, { columns: COLUMNS, from: 'variable', where, orderBy: 'id' }, wanted);
}

/** Returns the variables of several owners of one kind, in the order of creation. */
export function variablesOfOwners(db: Queries, type: VariableOwner['type'], ids: readonly string[]) {
  return select(
    db,
    fragment<VariableRow>`select ${fragment.raw(COLUMNS)} from variable where ${isOneOf(OF[type].column, ids)} order by id`,
  );
}

/**
 * Returns the bytes that the variables of several owners of one kind take in the document of a job: keys, values,
 * syntax.
 */
export async function bytesOfOwners(db: Queries, type: VariableOwner['type'], ids: readonly string[]): Promise<number> {
  const [found] = await select(
    db,
    fragment<{ bytes: number }>`select coalesce(sum(size + length(key) + ${BESIDE}), 0) as bytes from variable
      where ${isOneOf(OF[type].column, ids)}`,
  );
  return Number(found?.bytes ?? 0);
}

/** Returns only the variable ids of one workspace. */
export function variableIds(db: Queries, workspaceId: string) {
  return db.all(selectIds, { workspaceId });
}

/** Returns only the ids of each owner's variables. */
export function variableIdsOfOwners(db: Queries, type: VariableOwner['type'], ids: readonly string[]) {
  const column = OF[type].column;
  return select(
    db,
    fragment<{ id: string; ownerId: string }>`select id, ${fragment.raw(column)} as "ownerId" from variable
      where ${isOneOf(column, ids)} order by id`,
  );
}

/** Returns the id of the variable with this name, or undefined. */
export async function findVariableByKey(db: Queries, { type, id }: VariableOwner, category: Category, key: string) {
  return (await db.one(OF[type].named, { owner: id, category, key }))?.id;
}

/** Returns the number of variables of an owner, and the total size of their values in bytes. */
export async function variableTotals(db: Queries, { type, id }: VariableOwner) {
  const { count = 0, bytes = 0 } = (await db.one(OF[type].totals, { owner: id })) ?? {};
  return { count: Number(count), bytes: Number(bytes) };
}

/** Inserts a variable. Returns false when the owner has a variable of that category and key. */
export async function insertVariable(db: Queries, row: VariableRow): Promise<boolean> {
  return (await db.one(insertVariableStatement, { ...row })) !== undefined;
}

export function updateVariable(db: Queries, { workspaceId: _w, setId: _s, createdAt: _c, ...row }: VariableRow) {
  return db.run(updateVariableStatement, row);
}

/** Deletes a variable. Returns the number of rows. */
export function removeVariable(db: Queries, id: string) {
  return db.run(removeVariableStatement, { id });
}

/** Deletes all variables of an owner. Returns the number of rows. */
export function removeAllVariables(db: Queries, { type, id }: VariableOwner) {
  return db.run(OF[type].removeAll, { owner: id });
}

/** Returns the category and key of the variables of a workspace and of these sets, as `terraform/region`, each once. */
export async function variableNames(db: Queries, workspaceId: string, setIds: readonly string[]): Promise<string[]> {
  const ofSets = setIds.length === 0 ? fragment`` : fragment`or ${isOneOf('variable_set_id', setIds)}`;
  const rows = await select(
    db,
    fragment<{ name: string }>`select distinct category || '/' || key as name from variable
      where workspace_id = ${workspaceId} ${ofSets}`,
  );
  return rows.map(({ name }) => name);
}
