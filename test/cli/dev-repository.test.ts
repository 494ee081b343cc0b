import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';

/** Shorter than the minute after which a look-up finds a push by itself. */
const POLL = { timeout: 40_000, interval: 200 };

describe('the repository of lockkeeper dev', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-dev-'));
  const engine = join(folder, 'tofu');
  const data = join(folder, "it's a demo");
  let demo: Command;
  beforeAll(() => {
    writeFileSync(engine, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  });
  afterAll(async () => {
    await demo.kill();
    rmSync(folder, { recursive: true });
  });

  async function start(environment: Record<string, string> = {}): Promise<string> {
    const args = ['dev', '--listen', '127.0.0.1:0', '--data', data];
    demo = new Command(args, { LOCKKEEPER_ENGINE: engine, ...environment });
    await demo.firstLine();
    await expect.poll(() => demo.stdout, POLL).toContain('\nkill ');
    return demo.stdout;
  }
  async function stop(): Promise<void> {
    demo.signal('SIGTERM');
    expect(await demo.ended()).toMatchObject({ code: 0, stderr: '' });
  }
  /** Pastes the two lines that commit and push. */
  function push(printed: string): void {
    const [commit, sent, ...more] = printed.split('\n').filter((line) => /^(date|git) /.test(line));
    expect(more).toEqual([]);
    execFileSync('sh', ['-c', `${commit}\n${sent}`]);
  }
  /** Runs the printed command that shows the events. */
  async function events(printed: string): Promise<string> {
    const [line = ''] = printed.split('\n').filter((text) => text.endsWith('vcs events demo/infrastructure'));
    const [settings = '', command = ''] = line.split(' npm run --silent lockkeeper -- ');
    const environment = execFileSync('sh', ['-c', `env -i ${settings} env`], { encoding: 'utf8' }).trim();
    const parts = environment.split('\n').map((text) => text.split(/=(.*)/s).slice(0, 2));
    const { stdout } = await new Command(command.split(' '), Object.fromEntries(parts)).ended();
    return stdout;
  }
  const runs = async (printed: string) => (await events(printed)).match(/ run-\w+$/gm)?.length;

  it('starts a run for the first commit, and for the two printed lines within seconds', async () => {
    const printed = await start();
    await expect.poll(() => runs(printed), POLL).toBe(1);
    push(printed);
    await expect.poll(() => runs(printed), POLL).toBe(2);
    await stop();
  });

  it('is there after another start, and takes another push', async () => {
    const printed = await start();
    expect(await runs(printed)).toBe(2);
    push(printed);
    await expect.poll(() => runs(printed), POLL).toBe(3);
    await stop();
  });

  it('is missing without Git, which the demo says', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await start({ PATH: empty })).toContain('5. Start a run by a push: git is not on the PATH. Install it');
    await stop();
  });
});
