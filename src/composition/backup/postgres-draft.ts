import type { Logger } from 'pino';
import type { StorageConfig } from '../../config/index.ts';
import { backgroundHolder, loadPostgres, openPostgres, replaceSchema, StorageError } from '../../storage/index.ts';
import { closeDatabases, openDatabases } from '../databases.ts';
import { prepareAsOf } from '../schemas.ts';
import { CONTENTS_APART, type Draft } from './draft.ts';

type PostgresStorage = Extract<StorageConfig, { type: 'postgres' }>;

const SUFFIX = '_restoring';
/** Maximum length of a name in PostgreSQL. */
const NAME_LENGTH = 63;

/** Restores into a temporary schema and renames it. @throws StorageError if the target schema has tables */
export async function draftOfPostgres(storage: PostgresStorage, logger: Logger): Promise<Draft> {
  const { url, schema } = storage;
  const draft = schema.slice(0, NAME_LENGTH - SUFFIX.length) + SUFFIX;
  const schemas = await replaceSchema(url, schema, draft);
  try {
    if (await schemas.isUsed()) throw await refusal(storage);
    await schemas.dropDraft();
  } catch (error) {
    await schemas.close();
    throw error;
  }
  const own: PostgresStorage = { ...storage, schema: draft };
  return {
    storage: own,
    loads: async (manifest) => {
      const databases = await openDatabases(own, logger);
      await prepareAsOf(databases, manifest.schema).finally(() => closeDatabases(databases));
      return [await loadPostgres(url, draft)];
    },
    promote: () => schemas.replace().finally(() => schemas.close()),
    discard: () => schemas.dropDraft().finally(() => schemas.close()),
  };
}

async function refusal({ url, schema }: PostgresStorage): Promise<StorageError> {
  const database = await openPostgres({ url, schema, poolSize: 1, report: () => {} });
  const holder = await backgroundHolder(database)
    .catch(() => undefined)
    .finally(() => database.close());
  const serving = holder === undefined ? '' : `, and a node is running on it (${holder}): stop all nodes first`;
  return new StorageError(
    `the schema ${schema} has tables already${serving}. A backup can only be restored into an empty schema. Rename or drop the schema, or ` +
      `restore into another schema with --set storage.schema=…${CONTENTS_APART}. Nothing was changed`,
  );
}
