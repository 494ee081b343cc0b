import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokensIn } from '../../support/command.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { BackupInstallation } from '../support/backup-installation.ts';
import { expectAll, fill, stateText, storeState } from './kept.ts';

describe.each(['sqlite', 'postgres'] as const)('a server that is lost, on %s', (kind) => {
  const installation = new BackupInstallation(kind, { backup: '{ destination: backups }' });
  let node: RunningServer;
  let workspace: string;
  let file: string;
  afterAll(() => installation.remove());

  beforeAll(async () => {
    await installation.init();
    node = await installation.serve();
    ({ workspace } = await fill(installation, node));
  });

  it('is backed up while it serves, and the backup verifies', async () => {
    const created = await installation.run(['backup', 'create', '--format', 'json']);
    expect([created.code, created.stderr]).toEqual([0, '']);
    [file = ''] = installation.files();
    expect(JSON.parse(created.stdout)).toMatchObject({
      blobs: 1,
      missing: [],
      backup: join(installation.backups, file),
    });
    const verified = await installation.run(['backup', 'verify']);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/encrypted values and 1 blobs, all of which can be decrypted/),
    ]);
    const listed = await installation.run(['backup', 'list', '--format', 'json']);
    expect(JSON.parse(listed.stdout).backups).toMatchObject([{ backup: file, opens: 'yes' }]);
    const bytes = installation.bytes(file);
    for (const secret of ['eu-central-1', 'machine-1', installation.tokens.user])
      expect(bytes.includes(secret)).toBe(false);
  });

  it('restore refuses to run beside a running server', async () => {
    const { code, stderr } = await installation.run(['backup', 'restore']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      kind === 'sqlite' ? 'is in use by another running server' : /has tables already, and a node is running on it/,
    );
  });

  it('a state can be extracted without a server', async () => {
    await node.end('SIGKILL');
    const out = installation.at('prod.tfstate');
    const args = ['state', 'export', '--workspace', 'acme/prod', '--out', out];
    expect((await installation.run(args)).code).toBe(0);
    expect(readFileSync(out, 'utf8') === stateText(1)).toBe(true);
    expect((await installation.run(args)).stderr).toContain('already exists');
    const none = await installation.run(['state', 'export', '--workspace', 'acme/other']);
    expect([none.code, none.stderr]).toEqual([4, 'lockkeeper: no workspace named acme/other\n']);
  });

  it('restore refuses to overwrite existing databases', async () => {
    const { code, stderr } = await installation.run(['backup', 'restore']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has (databases|tables) already/)]);
  });

  it('an interrupted restore leaves nothing, and can run again', async () => {
    await installation.lose();
    const part = join(installation.backups, 'part.backup');
    writeFileSync(part, installation.bytes(file));
    truncateSync(part, installation.bytes(file).length - 100_000);
    const broken = await installation.run(['backup', 'restore', part]);
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(/part.backup: the backup was changed or truncated/),
    ]);
    const restored = await installation.run(['backup', 'restore']);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toContain(`${file}, made `);
    node = await installation.serve();
    await expectAll(installation, node, workspace);
  });

  it('continues after the restore: new states, and a backup of them', async () => {
    await storeState(installation, node, workspace, 2);
    await node.end('SIGTERM');
    const { stdout } = await installation.run(['backup', 'create', installation.at('second.backup')]);
    expect(stdout).toContain(' 2 blobs, ');
  });

  it('with its tokens revoked, the new ones are the only ones', async () => {
    await installation.lose();
    const restored = await installation.run(['backup', 'restore', installation.at('second.backup'), '--revoke-tokens']);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    node = await installation.serve();
    const { root, user } = installation.tokens;
    expect((await node.call('GET', '/v1/auth/token/lookup-self', { token: root })).status).toBe(403);
    expect((await node.call('GET', '/api/v2/account/details', { token: user })).status).toBe(401);
    installation.tokens = tokensIn(restored.stdout);
    await expectAll(installation, node, workspace, 2);
  });

  it('only the databases are lost: blobs stay, and newer ones are reported', async () => {
    await storeState(installation, node, workspace, 3);
    await node.end('SIGKILL');
    if (kind === 'sqlite') {
      for (const name of ['access.db', 'workspaces.db'])
        for (const end of ['', '-wal', '-shm']) rmSync(installation.at(`data/${name}${end}`), { force: true });
    } else await installation.dropSchema();
    const restored = await installation.run(['backup', 'restore', installation.at('second.backup')]);
    expect(restored.stdout).toContain('0 blobs (2 more were there already)');
    expect(restored.stdout).toContain('1 blobs in the store are newer than the backup');
  });
});
