import { afterEach, describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../test/support/databases.ts';
import { migrate, sql } from '../../storage/index.ts';
import { policyUses } from './0011-policy-uses.ts';
import { accessMigrations } from './index.ts';

const entity = sql<{ id: string; policies: string }>(
  `INSERT INTO entity (id, name, metadata, disabled, created_at, updated_at, policies)
   VALUES (:id, :id, '{}', 0, 0, 0, :policies)`,
);
const role = sql<{ name: string; settings: string }>(
  'INSERT INTO token_role (name, settings) VALUES (:name, :settings)',
);
const found = sql<Record<string, never>, { policy: string; kind: string; holder: string }>(
  'SELECT policy, kind, holder FROM policy_use ORDER BY policy, kind, holder',
);

describe.each(databaseKinds)('the uses of policies, on %s', (kind) => {
  let opened: TestDatabase;
  afterEach(() => opened.close());

  it('includes uses from before the migration', async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    const before = accessMigrations.slice(0, accessMigrations.indexOf(policyUses));
    await migrate(database, 'access', before);
    await database.run(entity, { id: 'e1', policies: '["web","api"]' });
    await database.run(entity, { id: 'e2', policies: '[]' });
    await database.run(role, { name: 'r1', settings: '{"allowed_policies":["web"]}' });
    await database.run(role, { name: 'r2', settings: '{"allowed_policies":null}' });
    await database.run(role, { name: 'r3', settings: '{}' });
    await migrate(database, 'access', accessMigrations);
    expect(await database.all(found, {})).toEqual([
      { policy: 'api', kind: 'entity', holder: 'e1' },
      { policy: 'web', kind: 'entity', holder: 'e1' },
      { policy: 'web', kind: 'token_role', holder: 'r1' },
    ]);
  });
});
