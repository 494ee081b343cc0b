import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { makeExecutable } from '../../../build/executable.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import { Command } from '../../support/command.ts';
import { type Settings, Site } from '../../support/machine/site.ts';
import { useServer } from '../support/use-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-executable-'));
const executable = join(folder, 'lockkeeper');
const program = dirname(inject('program') ?? '');

beforeAll(() => makeExecutable(program, executable));
afterAll(() => rmSync(folder, { recursive: true }));

function place(kind: Dialect, settings?: Settings) {
  const site = new Site(kind, settings);
  onTestFinished(() => site.remove());
  const home = site.at('home');
  mkdirSync(home, { mode: 0o700 });
  return {
    site,
    home,
    options: { main: executable, environment: { HOME: home, XDG_CACHE_HOME: '', CACHE_DIRECTORY: '' } },
  };
}

/** A machine with its system libraries and nothing else: no Node.js, no shell. */
function bareMachine(site: Site): string[] {
  const libraries = ['/lib', '/lib64', '/usr/lib'].filter((path) => existsSync(path));
  return [
    ...['bwrap', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--bind', site.folder, site.folder],
    ...libraries.flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', executable, executable],
  ];
}

describe('the executable', () => {
  test('serves on a system with only the system libraries, and stops', async () => {
    const { site, home, options } = place('sqlite');
    const within = bareMachine(site);
    const init = await site.done(['init'], { ...options, within });
    const [, token = ''] = /^user token +(\S+)/m.exec(init) ?? [];
    const server = await site.serve({ ...options, within });
    await useServer(server, token);
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(readdirSync(join(home, '.cache/lockkeeper'))).toHaveLength(1);
  });

  test('starts several workers and its own agent', async () => {
    const { site, options } = place('postgres', {
      workers: '2',
      workspaces: '{ execution: embedded, embedded_agent: { slots: 1, isolation: none, directory: agent } }',
    });
    const init = await site.done(['init'], options);
    const [, token = ''] = /^user token +(\S+)/m.exec(init) ?? [];
    const server = await site.serve(options);
    await useServer(server, token);
    const agent = () => server.logged('agent').map((line) => String(line.agent));
    await expect.poll(agent, { timeout: 40_000 }).toContainEqual(expect.stringContaining('waiting for jobs'));
    const children = readFileSync(`/proc/${server.command.pid}/task/${server.command.pid}/children`, 'utf8');
    const commands = children
      .trim()
      .split(' ')
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]);
    expect(commands).toEqual([executable, executable, executable]);
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('is the credentials helper, too, by its name', async () => {
    const { options } = place('sqlite');
    const helper = join(folder, 'terraform-credentials-lockkeeper');
    symlinkSync(executable, helper);
    const { code, stderr } = await new Command(['take'], options.environment, helper).ended();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^terraform-credentials-lockkeeper: usage: /),
    });
  });

  test('says what to do where it cannot unpack itself', async () => {
    const { site } = place('sqlite');
    const nowhere = { HOME: site.at('none'), TMPDIR: site.at('none'), XDG_CACHE_HOME: '', CACHE_DIRECTORY: '' };
    const { code, stderr } = await new Command(['--version'], nowhere, executable).ended();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^lockkeeper: the executable found no folder to unpack its files; set XDG_CACHE_HOME to a folder that only your user can change/,
    );
  });

  test('has the licenses of all its parts', async () => {
    const { site, home, options } = place('sqlite');
    await site.done(['--version'], { ...options, config: '' });
    const [id = ''] = readdirSync(join(home, '.cache/lockkeeper'));
    const licences = ['NODE-LICENSE.txt', 'THIRD-PARTY-LICENSES.txt'];
    for (const name of licences)
      expect(readFileSync(join(home, '.cache/lockkeeper', id, 'dist', name), 'utf8')).toContain(
        'Permission is hereby granted',
      );
  });

  test('has the same bytes when it is built again', async () => {
    const again = join(folder, 'again');
    await makeExecutable(program, again);
    execFileSync('cmp', [again, executable]);
  });
});
