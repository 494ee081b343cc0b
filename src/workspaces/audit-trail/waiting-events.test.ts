import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { losses, openLosing } from '../../../test/support/lost-commits/losing-database.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { sql } from '../../storage/index.ts';
import { listEvents, MOST_TOGETHER, type NewEvent } from './store.ts';
import { MOST_WAITING, WaitingEvents } from './waiting-events.ts';

const addOrganization = sql(
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
     allow_force_delete_workspaces, created_at, workspace_count)
   VALUES ('org-1', 'acme', 'a@example.com', 'none', 'remote', 0, 0, 0)`,
);
/** Simulates a full disk: every write fails. */
const breakTable = sql('ALTER TABLE audit_trail RENAME TO broken');
const mendTable = sql('ALTER TABLE broken RENAME TO audit_trail');

const event = (at: number, organizationId = 'org-1'): NewEvent => ({
  ...{ id: `event-${at}`, organizationId, happenedAt: at, accessorId: 'user-1', description: null, authType: 'Client' },
  ...{ requestId: `request-${at}`, resourceId: `ws-${at}`, resourceType: 'workspace', action: 'lock', meta: null },
});

describe.each(databaseKinds)('queued events on %s', (kind) => {
  let opened: TestDatabase;
  let waiting: WaitingEvents;
  let failures: unknown[];
  beforeEach(async () => {
    opened = await openMigrated(kind, 'workspaces');
    await opened.database.run(addOrganization, {});
    failures = [];
    waiting = new WaitingEvents(opened.database, (error) => failures.push(error));
  });
  afterEach(() => opened.close());

  const stored = async () =>
    (await listEvents(opened.database, 'org-1', -1, { number: 1, size: 20_000, offset: 0 })).items.map(({ id }) => id);

  test('are stored soon without a flush', async () => {
    waiting.add(event(1));
    waiting.add(event(2));
    await expect.poll(stored, { timeout: 10_000 }).toEqual(['event-2', 'event-1']);
  });

  test('are stored immediately when many are queued', async () => {
    for (let at = 0; at < MOST_TOGETHER; at++) waiting.add(event(at));
    // Concurrent calls share the running write.
    await waiting.flush();
    expect(await stored()).toHaveLength(MOST_TOGETHER);
  });

  // On SQLite the database refuses all writes after a lost COMMIT.
  test.each(kind === 'sqlite' ? [] : losses)('are stored once if a COMMIT loses its %s', async (loss) => {
    const other = await openLosing(opened, loss);
    const queue = new WaitingEvents(other.database, (error) => failures.push(error));
    queue.add(event(1));
    queue.add(event(2));
    await other.losing(() => queue.flush());
    expect([failures.length, await stored()]).toEqual([1, loss === 'response' ? ['event-2', 'event-1'] : []]);
    // Another node.
    waiting.add(event(5));
    await waiting.flush();
    queue.add(event(3));
    await queue.flush();
    await other.close();
    expect((await stored()).toSorted()).toEqual(['event-1', 'event-2', 'event-3', 'event-5']);
  });

  test('of a deleted organization do not block others', async () => {
    waiting.add(event(1, 'org-gone'));
    waiting.add(event(2));
    await waiting.flush();
    expect([await stored(), failures]).toEqual([['event-2'], []]);
  });

  test('stay queued while writes fail, up to a limit, and a report counts the lost ones', async () => {
    await opened.database.run(breakTable, {});
    for (let at = 0; at < MOST_WAITING + 25; at++) waiting.add(event(at));
    await waiting.flush();
    expect(failures.length).toBeGreaterThan(0);
    await opened.database.run(mendTable, {});
    failures.splice(0);
    await waiting.flush();
    expect(await stored()).toHaveLength(MOST_WAITING);
    expect(String(failures)).toBe(
      'Error: 25 events are missing from the audit trail because too many were queued. The audit log contains them',
    );
    waiting.add(event(MOST_WAITING + 100));
    await waiting.flush();
    expect(await stored()).toHaveLength(MOST_WAITING + 1);
    expect(failures).toHaveLength(1);
  });
});
