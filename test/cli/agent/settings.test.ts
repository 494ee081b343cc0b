import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Command } from '../../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'agent-settings-'));

/** Returns the error of `lockkeeper agent` for invalid settings. */
async function refusal(yaml: string, args: readonly string[] = [], environment = {}): Promise<string> {
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, yaml);
  const { code, stderr } = await new Command(['agent', '--config', file, ...args], environment).ended();
  expect(code, stderr).toBe(2);
  return stderr;
}

describe('the settings of lockkeeper agent', () => {
  test('are refused with a list of all errors', async () => {
    const stderr = await refusal('adress: https://x\nslots: 0\nisolation: docker\nengines: 5\n');
    expect(stderr).toMatch(/adress: unknown key; allowed: address, cert, key/);
    expect(stderr).toMatch(/address: missing; allowed: https:\/\/HOST/);
    expect(stderr).toMatch(/slots: found 0; allowed: 1 to 64/);
    expect(stderr).toMatch(/isolation: found "docker"; allowed: bubblewrap, none/);
    expect(stderr).toMatch(/engines: found 5; allowed: a folder/);
  });

  test('require exactly one identity', async () => {
    expect(await refusal('address: https://x\n')).toMatch(/cert: missing; allowed: a PEM file, or token_file/);
    expect(await refusal('address: https://x\ncert: a\ntoken_file: b\n')).toMatch(/token_file: found beside cert/);
    expect(await refusal('address: http://localhost\ncert: a\n')).toMatch(/cert: found beside http:\/\/localhost/);
    expect(await refusal('address: https://x\ncert: none.pem\n')).toMatch(
      /cannot read .*none\.pem \(the certificate\)/,
    );
  });

  test('come from the file, the environment and the command line, each overriding the previous one', async () => {
    const file = 'address: https://x\ncert: a\nslots: 1000\n';
    expect(await refusal(file, [], { LOCKKEEPER_CERT: 'b.pem' })).toMatch(/slots: found 1000/);
    const stderr = await refusal(file, ['--slots', '70'], { LOCKKEEPER_ADDR: 'ftp://x' });
    expect(stderr).toMatch(/slots \(from --slots\): found 70/);
    expect(stderr).toMatch(/address \(from LOCKKEEPER_ADDR\): found "ftp:\/\/x"/);
  });

  test('of a cluster are refused with a list of all errors', async () => {
    const mapping = `address: https://x
token_file: token
executor: kubernetes
kubernetes:
  namespace: Runs
  cpu: 2
  resources: { limits: { memory: much }, request: {} }
`;
    const stderr = await refusal(mapping);
    expect(stderr).toMatch(/kubernetes\.namespace: found "Runs"; allowed: a namespace/);
    expect(stderr).toMatch(/kubernetes\.image: missing; allowed: an image/);
    expect(stderr).toMatch(/kubernetes\.cpu: unknown key; allowed: namespace, image/);
    expect(stderr).toMatch(/kubernetes\.resources\.limits\.memory: found "much"; allowed: a mapping such as/);
    expect(stderr).toMatch(/kubernetes\.resources\.request: unknown key; allowed: requests, limits/);
  });

  test('of pods are refused without a cluster', async () => {
    const pods =
      'image: x, namespace: x, node_selector: { pool: "a b" }, tolerations: [{ effect: No }], run_as_user: 0';
    const stderr = await refusal(`address: https://x\ntoken_file: token\nkubernetes: { ${pods} }\n`);
    expect(stderr).toMatch(/kubernetes\.node_selector\.pool: found "a b"; allowed: a mapping of labels/);
    expect(stderr).toMatch(/kubernetes\.tolerations\[0\]\.effect: found "No"/);
    expect(stderr).toMatch(/kubernetes\.run_as_user: found 0; allowed: a number, not 0/);
  });

  test('of a cluster come with its executor, and have their times', async () => {
    const settings = (rest: string): string => `address: https://x\ntoken_file: token\n${rest}`;
    const cluster = 'kubernetes: { namespace: runs, image: x';
    expect(await refusal(settings('executor: kubernetes\n'))).toMatch(/kubernetes: missing beside executor/);
    expect(await refusal(settings(`${cluster} }\n`))).toMatch(/kubernetes: found beside executor: process/);
    expect(await refusal(settings(`executor: kubernetes\n${cluster}, ttl_after_finished: 1m }\n`))).toMatch(/from 5m/);
    expect(await refusal(settings(`executor: kubernetes\n${cluster}, start_timeout: soon }\n`))).toMatch(
      /kubernetes\.start_timeout: found "soon"; allowed: a duration/,
    );
  });

  test('without a sandbox say what to do', async () => {
    const token = join(folder, 'token');
    writeFileSync(token, 'lka.x');
    const args = ['agent', '--address', 'https://127.0.0.1:1', '--token-file', token, '--folder', folder];
    const { code, stderr } = await new Command(args, { PATH: folder }).ended();
    expect([code, stderr]).toEqual([1, expect.stringContaining('Install it, or set isolation to none')]);
  });

  test('refuse unencrypted connections to another machine', async () => {
    const token = join(folder, 'token');
    writeFileSync(token, 'lka.x');
    const args = ['agent', '--address', 'http://192.0.2.1', '--token-file', token, '--isolation', 'none'];
    const { code, stderr } = await new Command([...args, '--folder', folder]).ended();
    expect([code, stderr]).toEqual([1, expect.stringContaining('use https://')]);
  });
});

describe('an embedded agent', () => {
  const start = (lines: readonly string[]): Command => {
    const command = new Command(['agent', '--embedded']);
    for (const line of lines) command.process.stdin?.write(`${line}\n`);
    return command;
  };
  const settings = { address: 'http://127.0.0.1:1', isolation: 'none', folder: join(folder, 'embedded'), engine: null };

  test('stops at the end of its input', async () => {
    const command = start([JSON.stringify({ ...settings, token: 'lkh.one' }), JSON.stringify({ token: 'lkh.two' })]);
    await expect.poll(() => command.stderr).toContain('server unavailable');
    command.signal('SIGINT');
    command.process.stdin?.end();
    const { code, stderr } = await command.ended();
    expect(code).toBe(0);
    expect(stderr).toContain("stopping: the server closed the agent's input");
    expect(stderr).not.toContain('lkh.');
  });

  test('prints no token when it refuses its settings', async () => {
    const command = start([JSON.stringify({ ...settings, token: { a: 'lkh.secret' }, slots: 'many' })]);
    const { code, stderr } = await command.ended();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/token: found something else[\s\S]*slots: found "many"/)]);
    expect(stderr).not.toContain('lkh.secret');
  });

  test('ends with an error on invalid or empty input', async () => {
    const nonsense = start(['{']);
    expect(await nonsense.ended()).toMatchObject({ code: 2, stderr: expect.stringContaining('is not JSON') });
    const nothing = start([]);
    nothing.process.stdin?.end();
    expect((await nothing.ended()).code).toBe(2);
  });
});
