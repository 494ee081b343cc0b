import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './index.ts';

const HOUR = 3_600_000;

const load = (backup: string, environment: Record<string, string> = {}) =>
  loadConfig(
    {
      file: `listeners: [{ address: "127.0.0.1:0", services: [access], plain_http: true }]
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
backup: { ${backup} }`,
      environment,
      flags: [],
    },
    '/etc/lockkeeper',
  ).backup;

describe('the backup of a configuration', () => {
  it('is made by nobody where there is no schedule', () => {
    expect(load('destination: /mnt/backups')).toEqual({ keep: 14, destination: '/mnt/backups/' });
    expect(load('')).toEqual({ keep: 14 });
  });

  it('is made each so often, or at a time of the day in UTC', () => {
    const schedule = (text: string) => load(`schedule: ${text}, destination: backups`)?.schedule;
    expect(['6h', '15m', '02:30', '00:00', '23:59'].map(schedule)).toEqual([
      { every: 6 * HOUR },
      { every: HOUR / 4 },
      { at: 2.5 * HOUR },
      { at: 0 },
      { at: 24 * HOUR - 60_000 },
    ]);
    for (const wrong of ['14m', '24:00', '2:30', 'daily', '0s'])
      expect(() => schedule(wrong), wrong).toThrow(/^backup.schedule: found .* allowed: a duration such as 6h/);
    expect(() => load('schedule: 6h')).toThrow('backup.destination: missing beside schedule');
  });

  it('is kept in a folder or below a prefix of a bucket', () => {
    const destination = (text: string) => load(`destination: ${text}`)?.destination;
    expect(['backups', '/mnt/b/', 's3://bucket', 's3://bucket/a/b/'].map(destination)).toEqual([
      '/etc/lockkeeper/backups/',
      '/mnt/b/',
      's3://bucket/',
      's3://bucket/a/b/',
    ]);
    for (const wrong of ['s3://bucket/a', 's3://', 's3://b'])
      expect(() => destination(wrong), wrong).toThrow(/^backup.destination: found /);
    expect(() => load('keep: 0')).toThrow('backup.keep: found 0; allowed: 1 to 10000');
  });

  it('reaches its bucket by credentials of its own, whose secret no error repeats', () => {
    const s3 = 'destination: s3://bucket, s3: { region: eu-central-1, access_key_id: AKIA';
    const environment = { LOCKKEEPER_BACKUP_S3_SECRET_ACCESS_KEY: 'hidden' };
    expect(load(`${s3} }`, environment)?.s3).toEqual({
      region: 'eu-central-1',
      forcePathStyle: false,
      credentials: { accessKeyId: 'AKIA', secretAccessKey: { text: 'hidden' } },
    });
    expect(() => load(`${s3} }`)).toThrow(
      'backup.s3.secret_access_key_file: missing beside access_key_id; allowed: a path, or secret_access_key (LOCKKEEPER_BACKUP_S3_SECRET_ACCESS_KEY)',
    );
    const both = () => load(`${s3}, secret_access_key: hidden, secret_access_key_file: a }`);
    expect(both).toThrow(ConfigError);
    expect(both).not.toThrow(/hidden/);
  });
});
