import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Dialect } from '../../src/storage/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { breakDelivery, jump, sampleOf } from '../support/tasks/broken-task.ts';
import { declaredTasks } from '../support/tasks/declared-tasks.ts';

interface Detail {
  readonly name: string;
  readonly status: string;
  readonly found?: string;
  readonly parts?: readonly Detail[];
}

/** Tasks that this server does not have. */
const absentTasks = (kind: Dialect): string[] => [
  ...['failed-logins', 'invitation-mail', 'scheduled-backup'],
  ...(kind === 'sqlite' ? ['database-clock', 'leader-lease', 'task-status'] : []),
];

async function tasksOf(server: TestServer): Promise<ReadonlyMap<string, string>> {
  const { body } = await server.call('GET', '/healthz/ready?verbose');
  // The diagnosis does not affect whether the server is ready.
  expect(body.ready).toBe(true);
  const subject = (body.diagnosis as Detail[]).find(({ name }) => name === 'background');
  const tasks = subject?.parts?.find(({ name }) => name === 'tasks')?.parts ?? [];
  return new Map(tasks.map(({ name, status, found }) => [name, `${status}: ${found}`]));
}

describe.each(databaseKinds)('background tasks on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it('are in the readiness details and in the metrics, with their last run', async () => {
    const task = 'notification-delivery';
    await expect.poll(() => sampleOf(server, 'last_run_timestamp_seconds', task)).toBeGreaterThan(0);
    expect(await sampleOf(server, 'last_duration_seconds', task)).toBeGreaterThan(0);
    expect(await sampleOf(server, 'ok', task)).toBe(1);
    expect(await sampleOf(server, 'failures_total', task)).toBe(0);
    const tasks = await tasksOf(server);
    expect(tasks.get(task)).toMatch(/^success: ok, started \d+ s ago, took \d+ ms$/);
    expect(tasks.get('signing-keys')).toBe('success: has not run yet');
    expect([...tasks].filter(([, found]) => !found.startsWith('success: '))).toEqual([]);
  });

  it('are all known to the server: none is missing in its registry', async () => {
    const names = [...(await tasksOf(server)).keys(), ...absentTasks(kind)];
    expect(names.sort()).toEqual(
      declaredTasks()
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('that have failed for a long time are a warning until they succeed again, and never make the server unready', async () => {
    const task = 'notification-delivery';
    const repair = await breakDelivery(server);
    const failed = /^warning: failed \d+ times in a row since 10 min, last with [A-Za-z0-9_]{3,}$/;
    expect((await tasksOf(server)).get(task)).toMatch(failed);
    expect(await sampleOf(server, 'ok', task)).toBe(0);
    const logged = server.logLines().filter((line) => line.msg === 'in the background');
    expect(logged.map((line) => line.task)).toContain(task);
    await repair();
    await expect.poll(() => sampleOf(server, 'ok', task)).toBe(1);
    expect(await sampleOf(server, 'failures_total', task)).toBeGreaterThanOrEqual(3);
  });

  it('that are overdue by several periods are a warning', async () => {
    // The sweep rests for an hour.
    const task = 'audit-trail-sweep';
    await expect.poll(() => sampleOf(server, 'last_duration_seconds', task)).toBeGreaterThan(0);
    jump(5 * 3_600_000);
    expect((await tasksOf(server)).get(task)).toMatch(/^warning: overdue by [34] h$/);
    expect(await sampleOf(server, 'ok', task)).toBe(0);
  });
});

describe.runIf(databaseKinds.includes('postgres'))('background tasks of two nodes', { timeout: 60_000 }, () => {
  it('that only the leader runs are shown on the other node with their last run', async () => {
    const leader = await startTestServer('postgres');
    onTestFinished(() => leader.stop());
    const task = 'retention';
    await expect.poll(() => sampleOf(leader, 'last_run_timestamp_seconds', task)).toBeGreaterThan(0);
    const other = await startTestServer('postgres', { beside: leader });
    onTestFinished(() => other.stop());
    const onOther = expect.poll(() => sampleOf(other, 'last_run_timestamp_seconds', task), { timeout: 30_000 });
    await onOther.toBeGreaterThan(0);
    expect((await tasksOf(other)).get(task)).toMatch(/^success: not leader: ok, started \d+ s ago, took \d+ ms$/);
    expect((await tasksOf(leader)).get(task)).toMatch(/^success: ok, started \d+ s ago, took \d+ ms$/);
    const isLeader = async (server: TestServer) =>
      /^lockkeeper_background_leader (\d)$/m.exec((await server.call('GET', '/metrics')).text)?.[1];
    expect([await isLeader(leader), await isLeader(other)]).toEqual(['1', '0']);
  });
});
