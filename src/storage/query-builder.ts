import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import type { Dialect } from './database.ts';

const PARTS = {
  sqlite: { createAdapter: () => new SqliteAdapter(), createQueryCompiler: () => new SqliteQueryCompiler() },
  postgres: { createAdapter: () => new PostgresAdapter(), createQueryCompiler: () => new PostgresQueryCompiler() },
};

/**
 * Builds queries whose shape depends on the request; `Schema` maps table names to their columns. The builder cannot run
 * queries: use `database.dynamic(builder.selectFrom('workspace').….compile())`.
 */
export function queryBuilder<Schema>(dialect: Dialect): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      ...PARTS[dialect],
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('a query builder has no database');
      },
    },
  });
}
