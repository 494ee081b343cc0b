import type { Client } from 'pg';
import { StorageError } from '../errors.ts';
import { connectAlone } from './postgres-snapshot.ts';

/** A schema that will replace one that is empty or missing. */
export interface ReplacedSchema {
  /** Returns whether the schema to replace has a table. */
  isUsed(): Promise<boolean>;
  dropDraft(): Promise<void>;
  /**
   * Replaces the schema atomically.
   * @throws StorageError if it has tables by now
   */
  replace(): Promise<void>;
  close(): Promise<void>;
}

/** @throws StorageError while another process does the same */
export async function replaceSchema(url: string, schema: string, draft: string): Promise<ReplacedSchema> {
  const client = await connectAlone(url, 'lockkeeper restore');
  try {
    await lock(client, schema);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    isUsed: async () => {
      const { rows } = await client.query('SELECT 1 FROM information_schema.tables WHERE table_schema = $1 LIMIT 1', [
        schema,
      ]);
      return rows.length > 0;
    },
    dropDraft: async () => {
      await client.query(`DROP SCHEMA IF EXISTS "${draft}" CASCADE`);
    },
    replace: async () => {
      // DROP without CASCADE fails if the schema is not empty, and then nothing has changed.
      const both = `BEGIN; DROP SCHEMA IF EXISTS "${schema}"; ALTER SCHEMA "${draft}" RENAME TO "${schema}"; COMMIT`;
      await client.query(both).catch(async (cause: Error) => {
        await client.query('ROLLBACK');
        throw new StorageError(`the schema ${schema} cannot be replaced: ${cause.message}`, { cause });
      });
    },
    close: () => client.end(),
  };
}

/** Takes an advisory lock until the connection closes. */
async function lock(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ taken: number }>(
    "SELECT pg_try_advisory_lock(hashtext('lockkeeper restore'), hashtext($1))::int AS taken",
    [schema],
  );
  if (rows[0]?.taken !== 1)
    throw new StorageError(`another process is restoring a backup into the schema ${schema}: wait until it is done`);
}
