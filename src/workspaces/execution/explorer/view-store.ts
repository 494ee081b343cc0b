import { type Queries, sql, type Transaction } from '../../../storage/index.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import type { ViewType } from './view-type.ts';

/** Query of a saved view as it is stored and shown. */
export interface SavedQuery {
  readonly filter: readonly { readonly field: string; readonly operator: string; readonly value: readonly string[] }[];
  readonly fields: readonly string[];
  readonly sort: readonly string[];
}

/** A saved view of an organization. Times are milliseconds since 1970. */
export interface ExplorerView {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly type: ViewType;
  readonly query: SavedQuery;
  readonly createdAt: number;
}

interface Row extends Omit<ExplorerView, 'query' | 'type'> {
  readonly type: string;
  readonly query: string;
}

const COLUMNS = `id, organization_id AS "organizationId", name, query_type AS type, query, created_at AS "createdAt"`;
const selectPage = sql<{ organizationId: string; limit: number; offset: number }, Row>(
  `SELECT ${COLUMNS} FROM explorer_view WHERE organization_id = :organizationId
   ORDER BY name, id LIMIT :limit OFFSET :offset`,
);
const selectOne = sql<{ organizationId: string; id: string }, Row>(
  `SELECT ${COLUMNS} FROM explorer_view WHERE id = :id AND organization_id = :organizationId`,
);
const selectCount = sql<{ organizationId: string }, { count: number }>(
  'SELECT count(*) AS count FROM explorer_view WHERE organization_id = :organizationId',
);
const insert = sql<{ [Column in keyof Row]: Row[Column] }>(
  `INSERT INTO explorer_view (id, organization_id, name, query_type, query, created_at)
   VALUES (:id, :organizationId, :name, :type, :query, :createdAt)`,
);
const update = sql<{ id: string; name: string; query: string }>(
  'UPDATE explorer_view SET name = :name, query = :query WHERE id = :id',
);
const remove = sql<{ id: string }>('DELETE FROM explorer_view WHERE id = :id');

const viewOf = ({ query, type, ...row }: Row): ExplorerView => ({
  ...row,
  type: type as ViewType,
  query: JSON.parse(query) as SavedQuery,
});

/** Returns a page of the views of an organization by name. */
export async function listViews(db: Queries, organizationId: string, page: Page): Promise<Slice<ExplorerView>> {
  const { size: limit, offset } = page;
  const rows = await db.all(selectPage, { organizationId, limit, offset });
  return { items: rows.map(viewOf), total: await countViews(db, organizationId) };
}

export async function findView(db: Queries, organizationId: string, id: string): Promise<ExplorerView | undefined> {
  const row = await db.one(selectOne, { organizationId, id });
  return row && viewOf(row);
}

export async function countViews(db: Queries, organizationId: string): Promise<number> {
  return (await db.one(selectCount, { organizationId }))?.count ?? 0;
}

export function insertView(tx: Transaction, { query, ...view }: ExplorerView) {
  return tx.run(insert, { ...view, query: JSON.stringify(query) });
}

export function updateView(tx: Transaction, { id, name, query }: ExplorerView) {
  return tx.run(update, { id, name, query: JSON.stringify(query) });
}

export function removeView(db: Queries, id: string) {
  return db.run(remove, { id });
}
