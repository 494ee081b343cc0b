import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeyring } from '../../../src/storage/index.ts';
import { fakeTime } from '../../support/machine/fake-time.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { BackupInstallation } from '../support/backup-installation.ts';

const OLD = 'lockkeeper-00000000-20200101T000000Z-0123456789abcdef.backup';

/** Backup metrics, as Prometheus reads them. */
async function figures(node: RunningServer): Promise<Readonly<Record<string, number>>> {
  const { text } = await node.call('GET', '/metrics');
  const lines = [...text.matchAll(/^lockkeeper_backup_(\w+) (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', value]) => [name, Number(value)]));
}

describe.each(['sqlite', 'postgres'] as const)('backups by a schedule, on %s', (kind) => {
  const installation = new BackupInstallation(kind, { backup: '{ schedule: 02:30, destination: backups, keep: 1 }' });
  const nodes: RunningServer[] = [];
  afterAll(() => installation.remove());

  it('one node creates it, the others see it, and older backups of this server are deleted', async () => {
    await installation.init();
    expect((await installation.run(['backup', 'create'])).code).toBe(0);
    const [earlier] = installation.files();
    // A backup of another server.
    writeFileSync(join(installation.backups, OLD), 'whatever');
    const began = Date.now() / 1000;
    nodes.push(await installation.serve());
    if (kind === 'postgres') nodes.push(await installation.serve());
    const made = () => nodes.flatMap((node) => node.logged('backup created'));
    await expect.poll(made, { timeout: 60_000 }).toHaveLength(1);
    const [{ backup, removed, bytes } = { backup: '', removed: [], bytes: 0 }] = made();
    expect(removed).toEqual([earlier]);
    const paths = installation.files().map((name) => join(installation.backups, name));
    expect(paths).toEqual([join(installation.backups, OLD), backup].toSorted());
    for (const node of nodes) {
      const shown = await figures(node);
      expect(shown).toMatchObject({ size_bytes: bytes, missing_contents: 0, last_failure_timestamp_seconds: 0 });
      expect(shown.last_success_timestamp_seconds).toBeGreaterThan(began);
      expect(shown.duration_seconds).toBeGreaterThan(0);
      expect(shown.interval_seconds).toBe(86_400);
    }
    // The next backup is due tomorrow, on whichever node the scheduler runs.
    await Promise.all(nodes.map((node) => node.end('SIGTERM')));
    expect(made()).toHaveLength(1);
    expect((await installation.run(['backup', 'verify'])).code).toBe(0);
  });

  it('a failed backup is reported: in the log, in the metrics, by the command', async () => {
    rmSync(installation.backups, { recursive: true });
    const { code, stderr } = await installation.run(['backup', 'create']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('create the folder for backups first')]);
    const node = await installation.serve();
    const shown = await figures(node);
    expect(shown.last_failure_timestamp_seconds).toBeGreaterThan(shown.last_success_timestamp_seconds ?? Number.NaN);
    await node.end('SIGTERM');
  });
});

describe('a backup by a machine whose clock is two hours off, on postgres', () => {
  const installation = new BackupInstallation('postgres', {
    backup: '{ schedule: 2h, destination: backups, keep: 1 }',
  });
  afterAll(() => installation.remove());
  const HOURS = 7200;

  it.each([HOURS, -HOURS])('uses the time of the database: %i s', async (skew) => {
    if (installation.tokens.root === '') await installation.init();
    const before = Date.now() / 1000;
    const { code, stderr } = await installation.run(['backup', 'create', '--format', 'json'], {
      environment: fakeTime(skew),
    });
    expect([code, stderr]).toEqual([0, '']);
    const node = await installation.serve();
    const shown = (await figures(node)).last_success_timestamp_seconds;
    await node.end('SIGTERM');
    const name = installation.files().at(-1) ?? '';
    const [, date = '', time = ''] = /-(\d{8})T(\d{6})Z-/.exec(name) ?? [];
    const named = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
    for (const at of [shown ?? Number.NaN, Date.parse(named) / 1000])
      expect(Math.abs(at - before)).toBeLessThan(HOURS / 2);
  });
});

describe('a scheduled backup that fails', () => {
  const installation = new BackupInstallation('sqlite', { backup: '{ schedule: 6h, destination: nowhere }' });
  afterAll(() => installation.remove());

  it('is reported in the log, and the server continues', async () => {
    await installation.init();
    const node = await installation.serve();
    const failed = () => node.logged('the scheduled backup failed; it will be retried');
    await expect.poll(failed, { timeout: 60_000 }).toHaveLength(1);
    expect(failed()[0]?.reason).toContain('create the folder for backups first');
    expect((await figures(node)).last_failure_timestamp_seconds).toBeGreaterThan(0);
    expect((await node.call('GET', '/healthz/ready')).status).toBe(200);
    await node.end('SIGTERM');
  });
});

describe('a scheduled backup, when the keyring belongs to another server', () => {
  const installation = new BackupInstallation('sqlite', { backup: '{ schedule: 6h, destination: backups }' });
  afterAll(() => installation.remove());

  it('is not created: those keys could not decrypt its data', async () => {
    await installation.init();
    const node = await installation.serve();
    rmSync(installation.at('keyring.json'));
    await createKeyring({ file: installation.at('keyring.json') });
    const failed = () => node.logged('the scheduled backup failed; it will be retried');
    await expect.poll(failed, { timeout: 60_000 }).toHaveLength(1);
    expect(failed()[0]?.reason).toContain('this database belongs to another keyring');
    expect(installation.files()).toEqual([]);
    expect((await figures(node)).last_failure_timestamp_seconds).toBeGreaterThan(0);
    await node.end('SIGTERM');
  });
});
