import { randomBytes } from 'node:crypto';
import { timeOrderedId } from '../../lib/ids.ts';
import { type Database, sql } from '../../storage/index.ts';

/** Where an authentication method lives. `path` has no slash at either end: `cert` is reached at `/v1/auth/cert`. */
export interface Mount {
  readonly id: string;
  readonly path: string;
  readonly type: 'cert';
  readonly accessor: string;
}

const byPath = sql<{ path: string }, Mount>('SELECT id, path, type, accessor FROM mount WHERE path = :path');
const insert = sql<{ id: string; path: string; type: string; accessor: string }>(
  `INSERT INTO mount (id, path, type, accessor, roles_version) VALUES (:id, :path, :type, :accessor, 0)
   ON CONFLICT (path) DO NOTHING`,
);

/** The certificate method's mount, made at the first start of the installation. */
export async function ensureCertMount(database: Database, path = 'cert'): Promise<Mount> {
  const existing = await database.one(byPath, { path });
  if (existing) return existing;
  const accessor = `auth_cert_${randomBytes(4).toString('hex')}`;
  await database.run(insert, { id: timeOrderedId(), path, type: 'cert', accessor });
  const mount = await database.one(byPath, { path });
  if (!mount) throw new Error(`mount ${path} was not stored`);
  return mount;
}
