import { expect, onTestFinished, vi } from 'vitest';
import { sql } from '../../../src/storage/index.ts';
import type { TestServer } from '../server.ts';

/** Moves the monotonic clock of this process, and so of its servers, until the end of the test. Milliseconds. */
export function jump(milliseconds: number): void {
  const real = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => real() + milliseconds);
  onTestFinished(() => spy.mockRestore());
}

/** Returns the value of a metric of a task. */
export async function sampleOf(server: TestServer, name: string, task: string): Promise<number | undefined> {
  const { text } = await server.call('GET', '/metrics');
  const sample = text.split('\n').find((line) => line.startsWith(`lockkeeper_background_task_${name}{task="${task}"}`));
  return sample === undefined ? undefined : Number(sample.split(' ')[1]);
}

/** Makes `notification-delivery` fail for ten minutes. Returns a function that repairs it. */
export async function breakDelivery(server: TestServer): Promise<() => Promise<unknown>> {
  const { workspaces: database } = server.application.databases;
  await database.run(sql('ALTER TABLE notification_configuration RENAME TO gone'), {});
  await expect.poll(() => sampleOf(server, 'failures_total', 'notification-delivery')).toBeGreaterThanOrEqual(3);
  expect(await sampleOf(server, 'ok', 'notification-delivery')).toBe(1);
  jump(10 * 60_000);
  return () => database.run(sql('ALTER TABLE gone RENAME TO notification_configuration'), {});
}
