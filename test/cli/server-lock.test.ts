import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, startDev } from '../support/command.ts';

const CONFIG = `listeners:
  - { address: '127.0.0.1:0', services: [access, workspaces], plain_http: true }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
`;

describe('a second server on the same folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-lock-'));
  const config = join(folder, 'lockkeeper.yaml');
  const run = (...args: string[]) => new Command([...args, '--config', config]).ended();
  const start = async () => {
    const command = new Command(['serve', '--config', config]);
    await command.firstLine();
    return command;
  };

  beforeAll(async () => {
    writeFileSync(config, CONFIG);
    expect((await run('init')).code).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is refused with a clear error, and commands beside the first server still work', {
    timeout: 300_000,
  }, async () => {
    const first = await start();
    expect(await run('serve')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/data is in use by another running server: stop it first/),
    });
    for (const args of [
      ['user', 'create', '--username', 'grace', '--email', 'grace@example.com'],
      ['user', 'confirm-email', '--username', 'grace', '--email', 'hopper@example.com'],
      ['keyring', 'list'],
      ['keyring', 'rotate', '--seals-in', '0s'],
    ]) {
      const { code, stderr } = await run(...args);
      expect([args, code, stderr]).toEqual([args, 0, '']);
    }
    first.signal('SIGTERM');
    expect((await first.ended()).code).toBe(0);
    const next = await start();
    next.signal('SIGTERM');
    expect((await next.ended()).code).toBe(0);
  });

  it('starts at once when the first was killed', { timeout: 300_000 }, async () => {
    const first = await start();
    first.signal('SIGKILL');
    await first.ended();
    const second = await start();
    second.signal('SIGTERM');
    expect((await second.ended()).code).toBe(0);
  });
});

it('a second demo on one folder is refused before it deletes anything', { timeout: 300_000 }, async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-lock-')), 'demo');
  const { command, call, line } = await startDev(folder);
  const files = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  // Meanwhile the agent of the first server works: it writes and removes files, and its plan is stored.
  const before = files().filter((path) => !/^agent(\/|$)/.test(path));
  for (const args of [[], ['--fresh']]) {
    const second = await new Command(['dev', '--listen', '127.0.0.1:0', '--data', folder, ...args]).ended();
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toMatch(/in use by another running server/);
  }
  expect(files()).toEqual(expect.arrayContaining(before));
  expect((await call('GET', '/api/v2/account/details', { token: line.user_token })).status).toBe(200);
  command.signal('SIGKILL');
  await command.ended();
  const again = await startDev(folder, ['--fresh']);
  expect(again.line.user_token).not.toBe(line.user_token);
  expect(existsSync(join(folder, 'keyring.json'))).toBe(true);
  again.command.signal('SIGTERM');
  expect((await again.command.ended()).code).toBe(0);
  rmSync(folder, { recursive: true });
});
