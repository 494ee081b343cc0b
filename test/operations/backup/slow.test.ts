import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../../support/command.ts';
import type { RunningServer } from '../../support/machine/running-server.ts';
import { BackupInstallation } from '../support/backup-installation.ts';
import { fill, storeState } from './kept.ts';

describe('a slow backup', () => {
  const installation = new BackupInstallation('sqlite', { backup: '{ destination: backups }' });
  const config = installation.at('lockkeeper.yaml');
  let node: RunningServer;
  let content: string;
  let second: string;
  let deleted: string;
  afterAll(() => installation.remove());
  beforeAll(async () => {
    await installation.init();
    node = await installation.serve();
    const { workspace } = await fill(installation, node);
    const contents = () => globSync(installation.at('data/blobs/*/*'));
    [content = ''] = contents();
    second = await storeState(installation, node, workspace, 2);
    deleted = contents().find((file) => file !== content) ?? '';
    await storeState(installation, node, workspace, 3);
  });

  /** The backup has started and waits for a blob that never arrives: a pipe replaces its file. */
  async function begun(): Promise<Command> {
    for (const file of installation.files()) if (file.endsWith('.draft')) rmSync(join(installation.backups, file));
    renameSync(content, installation.at('content'));
    execFileSync('mkfifo', [content]);
    const command = new Command(['backup', 'create', '--config', config]);
    await expect
      .poll(() => installation.files().filter((name) => name.endsWith('.draft')), { timeout: 60_000 })
      .toHaveLength(1);
    return command;
  }
  async function makeAnother(name: string): Promise<void> {
    rmSync(content);
    renameSync(installation.at('content'), content);
    expect(installation.files().filter((file) => file.endsWith('.backup'))).toEqual([]);
    const next = await installation.run(['backup', 'create', installation.at(name)]);
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining(' 3 blobs, ')]);
  }

  it('interrupted by a signal, it leaves no file, and the next backup succeeds', async () => {
    const command = await begun();
    command.signal('SIGTERM');
    writeFileSync(content, 'something');
    const { code, stderr } = await command.ended();
    expect([code, stderr]).toEqual([1, 'lockkeeper: SIGTERM. The partial backup was removed\n']);
    expect(installation.files()).toEqual([]);
    await makeAnother('after-a-signal.backup');
  });

  it('killed, it leaves no valid backup, and the next backup succeeds', async () => {
    const command = await begun();
    command.signal('SIGKILL');
    expect((await command.ended()).code).toBe(null);
    await makeAnother('after-a-kill.backup');
  });

  it('while it runs, no blob is deleted that it still has to read', async () => {
    const command = await begun();
    const { user: token } = installation.tokens;
    for (const action of ['soft_delete', 'permanently_delete']) {
      const path = `/api/v2/state-versions/${second}/actions/${action}_backing_data`;
      const answer = await node.call('POST', path, { token });
      expect(answer.status, answer.text).toBe(204);
    }
    writeFileSync(content, readFileSync(installation.at('content')));
    const { code, stderr } = await command.ended();
    expect([code, stderr]).toEqual([0, '']);
    expect(existsSync(deleted)).toBe(true);
    const verified = await installation.run(['backup', 'verify']);
    expect(verified.stdout).toContain(' and 3 blobs, all of which can be decrypted.');
  });
});
