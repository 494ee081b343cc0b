import { AppError } from '../../../lib/errors.ts';
import { type Queries, sql } from '../../../storage/index.ts';
import { TOKEN_MOUNT } from '../../model/fixed-mounts.ts';
import type { AliasMount } from './alias.ts';

/** Accessor and id of the token store, which has no row in the mount table. */
const TOKEN = TOKEN_MOUNT.accessor;

export interface AliasMountRow {
  accessor: string;
  path: string;
  type: string;
}

/** Columns for `toAliasMount`, for a query with `withMounts`. */
export const MOUNT_COLUMNS = `coalesce(mount.accessor, '${TOKEN}') AS accessor, coalesce(mount.path, 'token') AS path,
    coalesce(mount.type, 'token') AS type`;

/** Joins a table with its mounts. Leaves out aliases of disabled mounts. */
export const withMounts = (table: string): string => `FROM ${table} LEFT JOIN mount ON mount.id = ${table}.mount_id
  WHERE (mount.id IS NOT NULL AND mount.removed_at IS NULL OR ${table}.mount_id = '${TOKEN}')`;

const mountOf = sql<{ accessor: string }, { id: string }>(
  'SELECT id FROM mount WHERE accessor = :accessor AND removed_at IS NULL',
);

export function toAliasMount({ accessor, path, type }: AliasMountRow): AliasMount {
  return { mountAccessor: accessor, mountPath: path, mountType: type };
}

/** Returns the id of the mount with this accessor, or undefined. */
export async function findMount(queries: Queries, accessor: string): Promise<string | undefined> {
  return accessor === TOKEN ? TOKEN : (await queries.one(mountOf, { accessor }))?.id;
}

/**
 * Returns the id of the mount with this accessor.
 * @throws AppError bad-request
 */
export async function mountNamed(queries: Queries, accessor: string): Promise<string> {
  const id = await findMount(queries, accessor);
  if (id === undefined) throw new AppError('bad-request', `invalid mount accessor "${accessor.slice(0, 100)}"`);
  return id;
}

export const isTokenStore = (mountId: string): boolean => mountId === TOKEN;
