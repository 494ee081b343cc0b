import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../src/cli/errors/exit-codes.ts';
import { run, wholeProgram } from '../../src/cli/program.ts';

/** Commands that neither connect to a server nor read a configuration, with the reason. */
const NEITHER: Readonly<Record<string, string>> = {
  agent: 'waits for its server, which may start later',
  completion: 'prints a script',
  dev: 'is a server of its own',
  'keyring recovery-key': 'creates a file',
  'policy check': 'reads policy files',
  'policy fmt': 'reads policy files',
};

/** Groups whose commands repeat a request for minutes; test/migration covers an unavailable server. */
const REPEATING: readonly string[] = ['import', 'export'];

/** Runs each command in this process: a process for each of them would take minutes. */
describe('exit codes of all commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-exit-'));
  let commands: readonly { readonly path: string; readonly command: Command }[];

  beforeAll(async () => {
    const leaves = (command: Command, path: string): { path: string; command: Command }[] =>
      command.commands.length === 0
        ? [{ path, command }]
        : command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`.trim()));
    commands = leaves(await wholeProgram(), '');
    writeFileSync(join(folder, 'wrong.yaml'), 'listeners: 3\n');
    writeFileSync(join(folder, 'file'), '{"serial":1,"lineage":"a"}');
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(() => true);
  }, 120_000);
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  afterEach(() => vi.unstubAllEnvs());

  const connecting = () =>
    commands.filter(
      ({ command }) => command.options.some(({ long }) => long === '--address') && command.name() !== 'agent',
    );
  const configured = () =>
    commands.filter(({ command }) => command.options.some(({ long, mandatory }) => long === '--config' && mandatory));

  /** Returns a command line with a value for everything that is required. */
  function wholeLine({ path, command }: { path: string; command: Command }): string[] {
    const args = command.registeredArguments
      .filter((argument) => argument.required || argument.name() === 'workspace')
      .map((argument) => valueFor(argument.name(), argument.argChoices));
    const options = command.options
      .filter(({ mandatory, long }) => mandatory && long !== '--config')
      .flatMap(({ long, argChoices }) => [long ?? '', valueFor(long ?? '', argChoices)]);
    const token = command.options.some(({ long }) => long === '--token-file')
      ? ['--token-file', join(folder, 'file')]
      : [];
    const yes = command.options.some(({ long }) => long === '--yes') ? ['--yes'] : [];
    return [...path.split(' '), ...args, ...options, ...token, ...yes];
  }

  function valueFor(name: string, choices: readonly string[] | undefined): string {
    const values: Readonly<Record<string, string>> = {
      ...{
        settings: 'auto-apply=true',
        method: 'GET',
        '--pull': '7',
        '--commit': 'a'.repeat(40),
        '--workspace': 'acme/network',
      },
      ...{
        file: join(folder, 'file'),
        '--cert': join(folder, 'file'),
        variable: 'name=value',
        '--to': join(folder, 'new'),
      },
    };
    return choices?.[0] ?? values[name] ?? 'network';
  }

  it('every command belongs to one kind', () => {
    const known = new Set([...connecting(), ...configured()].map(({ path }) => path));
    expect(
      commands
        .map(({ path }) => path)
        .filter((path) => !known.has(path))
        .toSorted(),
    ).toEqual(Object.keys(NEITHER).toSorted());
  });

  it('an unknown option ends with 2', async () => {
    for (const { path } of commands) {
      expect([path, await run([...path.split(' '), '--no-such-option'])]).toEqual([path, EXIT.usage]);
    }
  });

  it('a configuration that is missing or not valid ends with 2', async () => {
    // `diagnose` reports the configuration as a failed check, and ends its process.
    for (const one of configured().filter(({ path }) => !path.startsWith('diagnose'))) {
      for (const name of ['missing.yaml', 'wrong.yaml']) {
        const line = [...wholeLine(one), '--config', join(folder, name)];
        expect([line.join(' '), await run(line)]).toEqual([line.join(' '), EXIT.usage]);
      }
    }
  });

  it('a command without a token ends with 3', async () => {
    stub('https://127.0.0.1:9', '');
    for (const one of connecting().filter(({ path }) => !['login', 'logout'].includes(path))) {
      const line = wholeLine(one);
      const expected = one.path === 'open' ? EXIT.done : EXIT.refused;
      expect([line.join(' '), await run(line)]).toEqual([line.join(' '), expected]);
    }
  });

  it('a server that does not respond ends with 6', async () => {
    stub('https://127.0.0.1:9', 'a-token');
    const others = ['login', 'logout', 'open', ...REPEATING];
    for (const one of connecting().filter(({ path }) => !others.includes(path.split(' ')[0] ?? ''))) {
      const line = wholeLine(one);
      expect([line.join(' '), await run(line)]).toEqual([line.join(' '), EXIT.unavailable]);
    }
    expect(await run(['open', 'acme/network'])).toBe(EXIT.unavailable);
    expect(await run(['login', '--browser'])).toBe(EXIT.unavailable);
  });

  it('an address without TLS ends with 2', async () => {
    stub('http://lockkeeper.example.com', 'a-token');
    for (const one of connecting().filter(({ path }) => !['login', 'logout', 'open'].includes(path))) {
      const line = wholeLine(one);
      expect([line.join(' '), await run(line)]).toEqual([line.join(' '), EXIT.usage]);
    }
  });

  it('an error cannot control the terminal', async () => {
    stub('https://127.0.0.1:9', 'a-token');
    const written = vi.mocked(process.stderr.write);
    written.mockClear();
    expect(await run(['state', 'push', 'acme/network', join(folder, '\u001b]0;title\u0007')])).toBe(EXIT.usage);
    const text = written.mock.calls.map(([chunk]) => String(chunk)).join('');
    expect(text).toContain('\\x1b]0;title\\x07');
    for (const control of ['\u001b', '\u0007']) expect(text).not.toContain(control);
    expect(text).toMatch(/^lockkeeper: cannot read .*\n$/);
  });

  function stub(address: string, token: string): void {
    const variables = {
      LOCKKEEPER_ADDR: address,
      LOCKKEEPER_TOKEN: token,
      LOCKKEEPER_ORGANIZATION: 'acme',
      LOCKKEEPER_SOURCE_ADDR: address,
      LOCKKEEPER_SOURCE_TOKEN: token,
      BROWSER: '',
    };
    const none = { LOCKKEEPER_CACERT: '', VAULT_TOKEN: '', VAULT_CACERT: '', LOCKKEEPER_RUNTIME_DIR: folder };
    for (const [name, value] of Object.entries({ ...variables, ...none })) vi.stubEnv(name, value);
  }
});
