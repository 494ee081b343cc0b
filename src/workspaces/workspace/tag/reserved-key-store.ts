import { type Queries, sql } from '../../../storage/index.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { fragment, selectSlice } from '../../query/dynamic.ts';

/** A tag key that an organization has reserved. */
export interface ReservedKey {
  readonly id: string;
  readonly organizationId: string;
  readonly key: string;
  /** 1 if workspaces cannot override the project's value. */
  readonly disableOverrides: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `id, organization_id AS "organizationId", key, disable_overrides AS "disableOverrides",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const selectById = sql<{ id: string }, ReservedKey>(`SELECT ${COLUMNS} FROM reserved_tag_key WHERE id = :id`);
const selectIdOfKey = sql<{ organizationId: string; key: string }, { id: string }>(
  'SELECT id FROM reserved_tag_key WHERE organization_id = :organizationId AND key = :key',
);
const selectLocked = sql<{ organizationId: string }, { key: string }>(
  'SELECT key FROM reserved_tag_key WHERE organization_id = :organizationId AND disable_overrides = 1',
);
const insertKey = sql<{ [Column in keyof ReservedKey]: ReservedKey[Column] }, { id: string }>(
  `INSERT INTO reserved_tag_key (id, organization_id, key, disable_overrides, created_at, updated_at)
   VALUES (:id, :organizationId, :key, :disableOverrides, :createdAt, :updatedAt)
   ON CONFLICT (organization_id, key) DO NOTHING RETURNING id`,
);
const updateKey = sql<
  Pick<ReservedKey, 'id' | 'key' | 'disableOverrides' | 'updatedAt'> & Record<string, string | number>
>(
  `UPDATE reserved_tag_key SET key = :key, disable_overrides = :disableOverrides, updated_at = :updatedAt
   WHERE id = :id`,
);
const removeKey = sql<{ id: string }>('DELETE FROM reserved_tag_key WHERE id = :id');

/** Returns a reserved key, or undefined. */
export function findReservedKey(db: Queries, id: string) {
  return db.one(selectById, { id });
}

/** Returns the id of the reserved key, or undefined. */
export async function idOfKey(db: Queries, organizationId: string, key: string) {
  return (await db.one(selectIdOfKey, { organizationId, key }))?.id;
}

/** Returns one page, by key. */
export function listReservedKeys(db: Queries, organizationId: string, page: Page) {
  const where = [fragment`organization_id = ${organizationId}`];
  return selectSlice<ReservedKey>(db, { columns: COLUMNS, from: 'reserved_tag_key', where, orderBy: 'key' }, page);
}

/** Returns the keys that workspaces cannot override. */
export async function lockedReservedKeys(db: Queries, organizationId: string): Promise<ReadonlySet<string>> {
  return new Set((await db.all(selectLocked, { organizationId })).map(({ key }) => key));
}

/** Inserts a key. Returns false if the organization has reserved it already. */
export async function insertReservedKey(db: Queries, reserved: ReservedKey): Promise<boolean> {
  return (await db.one(insertKey, { ...reserved })) !== undefined;
}

export function updateReservedKey(db: Queries, { id, key, disableOverrides, updatedAt }: ReservedKey) {
  return db.run(updateKey, { id, key, disableOverrides, updatedAt });
}

/** Deletes a key. Returns the number of rows. */
export function removeReservedKey(db: Queries, id: string) {
  return db.run(removeKey, { id });
}
