import { randomBytes } from 'node:crypto';
import { timeOrderedId } from '../../lib/ids.ts';
import { type Database, type Queries, sql } from '../../storage/index.ts';

/** Where an authentication method lives. `path` has no slash at either end: `cert` is reached at `/v1/auth/cert`. */
export interface Mount {
  readonly id: string;
  readonly path: string;
  readonly type: 'cert';
  readonly accessor: string;
}

/** What changes about a mount. */
export interface MountState {
  /** Grows with every write to anything in the mount, on whichever node it was made. */
  readonly version: number;
  /** JSON; the method knows what it means. */
  readonly config: string;
}

const byPath = sql<{ path: string }, Mount>('SELECT id, path, type, accessor FROM mount WHERE path = :path');
const insert = sql<{ id: string; path: string; type: string; accessor: string }>(
  `INSERT INTO mount (id, path, type, accessor, version, config) VALUES (:id, :path, :type, :accessor, 0, '{}')
   ON CONFLICT (path) DO NOTHING`,
);
const stateById = sql<{ id: string }, MountState>('SELECT version, config FROM mount WHERE id = :id');
const nextVersion = sql<{ id: string }, MountState>(
  'UPDATE mount SET version = version + 1 WHERE id = :id RETURNING version, config',
);
const setConfig = sql<{ id: string; config: string }>('UPDATE mount SET config = :config WHERE id = :id');

/** The certificate method's mount, made at the first start of the installation. */
export async function ensureCertMount(database: Database, path = 'cert'): Promise<Mount> {
  const existing = await database.one(byPath, { path });
  if (existing) return existing;
  const accessor = `auth_cert_${randomBytes(4).toString('hex')}`;
  await database.run(insert, { id: timeOrderedId(), path, type: 'cert', accessor });
  return found(await database.one(byPath, { path }));
}

export async function mountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(stateById, { id }));
}

/**
 * Says that something in the mount changes. The first thing in a unit of work that reads before it writes: the mount's row is
 * locked from here on, so that no two writers can both read what was there before.
 */
export async function nextMountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(nextVersion, { id }));
}

export async function setMountConfig(queries: Queries, id: string, config: string): Promise<void> {
  await queries.run(setConfig, { id, config });
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('the mount is gone');
  return row;
}
