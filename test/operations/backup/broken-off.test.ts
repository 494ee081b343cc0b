import { execFileSync } from 'node:child_process';
import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../../support/command.ts';
import { Installation, type Node } from '../support/installation.ts';
import { fill, storeState } from './kept.ts';

describe('a backup that is broken off', () => {
  const installation = new Installation('sqlite', 'backup: { destination: backups }');
  const config = installation.path('lockkeeper.yaml');
  let node: Node;
  let content: string;
  afterAll(() => installation.remove());
  beforeAll(async () => {
    await installation.init();
    node = await installation.serve();
    const { workspace } = await fill(installation, node);
    await storeState(installation, node, workspace, 2);
    [content = ''] = globSync(installation.path('data/blobs/*/*'));
  });

  /** Begun, and waiting for a content that does not come: a pipe is in its place. */
  async function begun(): Promise<Command> {
    renameSync(content, installation.path('content'));
    execFileSync('mkfifo', [content]);
    const command = new Command(['backup', 'create', '--config', config]);
    await expect
      .poll(() => installation.files().filter((name) => name.endsWith('.draft')), { timeout: 60_000 })
      .toHaveLength(1);
    return command;
  }
  async function makeAnother(name: string): Promise<void> {
    rmSync(content);
    renameSync(installation.path('content'), content);
    expect(installation.files().filter((file) => file.endsWith('.backup'))).toEqual([]);
    const next = await installation.run(['backup', 'create', installation.path(name)]);
    expect([next.code, next.stdout]).toEqual([0, expect.stringContaining(' 2 contents, ')]);
  }

  it('by a signal leaves nothing, and the next one is made', async () => {
    const command = await begun();
    command.signal('SIGTERM');
    writeFileSync(content, 'something');
    const { code, stderr } = await command.ended();
    expect([code, stderr]).toEqual([1, 'lockkeeper: SIGTERM: nothing is left of the backup\n']);
    expect(installation.files()).toEqual([]);
    await makeAnother('after-a-signal.backup');
  });

  it('by a kill is no backup, and the next one is made', async () => {
    const command = await begun();
    command.signal('SIGKILL');
    expect((await command.ended()).code).toBe(null);
    await makeAnother('after-a-kill.backup');
  });
});
