import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';
import { BackupInstallation } from '../support/backup-installation.ts';
import { nextVersion } from '../support/next-version.ts';
import { stateText } from './kept.ts';

const FORMAT_1 = fileURLToPath(new URL('format-1/', import.meta.url));

/**
 * A SQLite server and its keyring from the time when the format was created, written by `format.test.ts`. Later
 * versions must read it and migrate it.
 */
describe.each(['sqlite', 'postgres'] as const)('a backup of format 1, on %s', (kind) => {
  const installation = new BackupInstallation(kind);
  afterAll(() => installation.remove());
  const exported = ['state', 'export', '--workspace', 'acme/prod'];

  it('verifies, can be restored, and gives a working server', async () => {
    copyFileSync(join(FORMAT_1, 'keyring.json'), installation.at('keyring.json'));
    chmodSync(installation.at('keyring.json'), 0o600);
    const file = join(FORMAT_1, 'installation.backup');
    const verified = await installation.run(['backup', 'verify', file]);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout).toContain(' and 1 blobs, all of which can be decrypted.');
    const restored = await installation.run(['backup', 'restore', file, '--revoke-tokens']);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const token = /^user token +(\S+)/m.exec(restored.stdout)?.[1] ?? '';
    const state = await installation.run(exported);
    expect(state.stdout === stateText(1)).toBe(true);
    const node = await installation.serve();
    const shown = await node.call('GET', '/api/v2/organizations/acme/workspaces/prod', { token });
    const variables = await node.call('GET', `/api/v2/workspaces/${shown.body.data.id}/vars`, { token });
    expect(variables.body.data[0].attributes).toMatchObject({ key: 'region', value: 'eu-central-1' });
    await node.end('SIGTERM');
  });
});

describe('backups of different versions', () => {
  const now = workspacesMigrations.at(-1)?.name ?? '';
  const step = { name: '9001-next', compatibleFrom: now, statements: ['ALTER TABLE workspace ADD COLUMN motto TEXT'] };
  const next = nextVersion('8.0.0', [step]);
  const installation = new BackupInstallation('sqlite', { backup: '{ destination: backups }' });
  afterAll(async () => {
    next.remove();
    await installation.remove();
  });

  it('a newer version restores and migrates it; an older version refuses a newer backup', async () => {
    await installation.init();
    expect((await installation.run(['backup', 'create'])).code).toBe(0);
    await installation.lose();
    const restored = await installation.run(['backup', 'restore'], next);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const check = await installation.run(['migrate', '--check'], next);
    expect(check.stdout).toContain('workspaces 9001-next\n');
    const newer = await installation.run(['backup', 'create', installation.at('newer.backup')], next);
    expect(newer.stderr).toBe('');
    await installation.lose();
    const { code, stderr } = await installation.run(['backup', 'restore', installation.at('newer.backup')]);
    expect([code, stderr]).toEqual([
      1,
      'lockkeeper: the backup is from a newer version, which has the workspaces migration 9001-next: use that one\n',
    ]);
    expect((await installation.run(['backup', 'restore'])).code).toBe(0);
  });
});
