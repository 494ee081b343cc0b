import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { type Queries, sql } from '../../../storage/index.ts';
import { isBehind, Reader, readClock, removeOldChanges } from './journal.ts';

const addOrganization = sql<{ id: string }>(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
     allow_force_delete_workspaces, created_at, workspace_count)
   VALUES (:id, 'acme', 'a@example.com', 'none', 'remote', 0, 0, 0)`,
);
const addChange = {
  sqlite: sql<{ id: string }>(
    `INSERT INTO change (kind, subject_id, workspace_id, organization_id, happened_at) VALUES ('lock', :id, :id, 'org-1', 0)`,
  ),
  postgres: sql<{ id: string }>(
    `INSERT INTO change (tick, kind, subject_id, workspace_id, organization_id, happened_at)
     VALUES (pg_current_xact_id()::text::bigint, 'lock', :id, :id, 'org-1', 0)`,
  ),
} as const;

describe.each(databaseKinds)('the journal of changes on %s', (kind) => {
  let opened: TestDatabase;
  let reader: Reader;
  beforeEach(async () => {
    opened = await openMigrated(kind, 'workspaces');
    await opened.database.run(addOrganization, { id: 'org-1' });
    reader = new Reader(opened.database, await readClock(opened.database));
  });
  afterEach(() => opened.close());

  const change = (id: string, db: Queries = opened.database) => db.run(addChange[db.dialect], { id });
  const told = async () => (await reader.next())?.map(({ subjectId }) => subjectId);

  test('reports each change once, in order', async () => {
    expect(await told()).toEqual([]);
    await change('one');
    await change('two');
    expect(await told()).toEqual(['one', 'two']);
    expect(await told()).toEqual([]);
    await change('three');
    expect(await told()).toEqual(['three']);
  });

  test.skipIf(kind === 'sqlite')('reports a change that is committed after a later one', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = opened.database.transaction(async (tx) => {
      await change('early', tx);
      begun.resolve();
      await gate.promise;
    });
    await begun.promise;
    await change('late');
    expect(await told()).toEqual(['late']);
    expect(await told()).toEqual([]);
    gate.resolve();
    await slow;
    expect(await told()).toEqual(['early']);
    expect(await told()).toEqual([]);
  });

  test('reports too many changes, and continues after them', async () => {
    await opened.database.transaction(async (tx) => {
      for (let at = 0; at < 5_001; at++) await change(`ws-${at}`, tx);
    });
    expect(await told()).toBeUndefined();
    // On a shared server, a transaction of another schema may still keep the read back.
    await expect.poll(told).toEqual([]);
    await change('after');
    expect(await told()).toEqual(['after']);
  });

  test('deletes old changes, and never restarts the numbers', async () => {
    const before = await readClock(opened.database);
    await change('one');
    await change('two');
    expect(await isBehind(opened.database, before)).toBe(true);
    expect(await told()).toEqual(['one', 'two']);
    expect(await removeOldChanges(opened.database)).toBeGreaterThan(0);
    await change('three');
    expect(await told()).toEqual(['three']);
    // A concurrent transaction on the same server could still commit a change.
    await expect.poll(async () => [await told(), await isBehind(opened.database, reader.clock)]).toEqual([[], false]);
  });
});
