import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { accessSealedColumns } from '../access/index.ts';
import type { StorageConfig } from '../config/index.ts';
import {
  type Database,
  LocalSignals,
  openPostgres,
  openSqlite,
  PostgresSignals,
  type SealedDatabase,
  type Signals,
  StorageError,
} from '../storage/index.ts';
import { workspacesContentColumns, workspacesSealedColumns } from '../workspaces/index.ts';

/** One database for each API. On PostgreSQL both are the same. */
export interface Databases {
  readonly access: Database;
  readonly workspaces: Database;
  /** Workspace database. */
  readonly signals: Signals;
}

/** Stored data. */
export type Stores = Pick<Databases, 'access' | 'workspaces'>;

/** Opens the configured databases. Creates missing ones unless they must exist. */
export async function openDatabases(
  storage: StorageConfig,
  logger: Logger,
  options: { readonly mustExist?: true } = {},
): Promise<Databases> {
  const report = (error: unknown) => logger.error({ err: error }, 'database');
  if (storage.type === 'postgres') {
    const { url, schema, poolSize } = storage;
    const database = await openPostgres({ url, schema, poolSize, report, ...options });
    return { access: database, workspaces: database, signals: new PostgresSignals({ url, schema, report }) };
  }
  const { directory } = storage;
  if (options.mustExist && !existsSync(join(directory, 'access.db')))
    throw new StorageError(`there is no database in ${directory}; run lockkeeper init`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const access = await openSqlite({ file: join(directory, 'access.db'), report });
  const workspaces = await openSqlite({ file: join(directory, 'workspaces.db'), report });
  return { access, workspaces, signals: new LocalSignals() };
}

export async function closeDatabases({ access, workspaces, signals }: Databases): Promise<void> {
  await signals.close();
  await access.close();
  if (workspaces !== access) await workspaces.close();
}

/** Encrypted columns of the databases, and the keys of blobs. */
export const sealedColumns = {
  columns: [...accessSealedColumns, ...workspacesSealedColumns],
  contentColumns: workspacesContentColumns,
};

/** All columns with values that the keyring encrypts. */
export function sealedDatabases({ access, workspaces }: Stores): SealedDatabase[] {
  return [
    { database: access, columns: accessSealedColumns },
    { database: workspaces, columns: workspacesSealedColumns },
  ];
}
