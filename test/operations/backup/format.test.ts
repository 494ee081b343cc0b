import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { BackupInstallation } from '../support/backup-installation.ts';
import { fill } from './kept.ts';

const FORMAT_1 = fileURLToPath(new URL('format-1/', import.meta.url));

/**
 * Writes the fixture of `versions.test.ts` again, with MAKE_BACKUP_FORMAT=1. Allowed only until a version with its
 * format and migrations is released.
 */
describe.runIf(process.env.MAKE_BACKUP_FORMAT === '1')('the fixture of the format', () => {
  const installation = new BackupInstallation('sqlite');
  afterAll(() => installation.remove());

  it('is written', async () => {
    await installation.init();
    const node = await installation.serve();
    await fill(installation, node);
    mkdirSync(FORMAT_1, { recursive: true });
    const made = await installation.run(['backup', 'create', installation.at('installation.backup')]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    await node.end('SIGTERM');
    for (const file of ['installation.backup', 'keyring.json'])
      copyFileSync(installation.at(file), `${FORMAT_1}${file}`);
  });
});
