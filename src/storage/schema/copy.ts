import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type Database, sql } from '../database.ts';
import { StorageError } from '../errors.ts';
import { openPostgres } from '../postgres.ts';
import { openSqlite } from '../sqlite.ts';

const ALL_PAGES = 2 ** 31 - 1;

const report = (error: unknown) => {
  throw error;
};

/**
 * Runs work on a temporary copy of an embedded database, while others continue to write to the original.
 * @throws StorageError if there is not enough space
 */
export async function onCopy<T>(file: string, work: (copy: Database) => Promise<T>): Promise<T> {
  await requireSpace(file);
  const folder = await mkdtemp(join(dirname(file), 'copy-'));
  const copy = join(folder, basename(file));
  try {
    const source = new DatabaseSync(file, { readOnly: true });
    // Copies in one step, because a copy in parts restarts with every write.
    await backup(source, copy, { rate: ALL_PAGES }).finally(() => source.close());
    const database = await openSqlite({ file: copy, report });
    return await work(database).finally(() => database.close());
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function requireSpace(file: string): Promise<void> {
  const { size } = await stat(file);
  const { bavail, bsize } = await statfs(dirname(file));
  // Leaves space for the writes of migrations.
  if (bavail * bsize > 2 * size) return;
  throw new StorageError(`a copy of ${file} (${size} bytes) needs twice its size; ${bavail * bsize} bytes are free`);
}

/**
 * Runs work on a temporary empty schema of the same server.
 * @throws StorageError if the user may not create one
 */
export async function onEmptySchema<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const schema = `lockkeeper_check_${randomBytes(6).toString('hex')}`;
  const database = await openPostgres({ url, schema, poolSize: 1, report }).catch((cause) => {
    throw new StorageError(`no schema can be created to test migrations: ${(cause as Error).message}`, { cause });
  });
  try {
    return await work(database);
  } finally {
    await database.run(sql(`DROP SCHEMA "${schema}" CASCADE`), {});
    await database.close();
  }
}
