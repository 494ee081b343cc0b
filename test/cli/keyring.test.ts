import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { call } from '../support/http.ts';
import { createRoot } from '../support/pki.ts';

describe('lockkeeper keyring', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-keyring-'));
  const config = join(folder, 'lockkeeper.yaml');
  const keyring = join(folder, 'keyring.json');
  const serverCa = createRoot();
  let token: string;
  let command: Command;
  let address: string;
  let workspace: string;

  const run = (...args: string[]) => new Command(['keyring', ...args, '--config', config]).ended();
  const keys = async () => {
    const { code, stdout, stderr } = await run('list', '--format', 'json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout).keys as { key: number; role: string; values: number; columns: Record<string, number> }[];
  };
  const serve = async () => {
    command = new Command(['serve', '--config', config]);
    [address = ''] = JSON.parse(await command.firstLine()).addresses;
  };
  const stop = async () => {
    command.signal('SIGTERM');
    expect(await command.ended()).toMatchObject({ code: 0 });
  };
  const user = (method: string, path: string, body?: unknown) =>
    call({ address, ca: serverCa.pem }, method, `/api/v2${path}`, { token, ...(body !== undefined && { body }) });
  const make = async (path: string, type: string, attributes: object): Promise<string> => {
    const { status, body, text } = await user('POST', path, { data: { type, attributes } });
    expect(status, text).toBe(201);
    return body.data.id;
  };
  const variable = (key: string, value: string) =>
    make(`/workspaces/${workspace}/vars`, 'vars', { key, value, category: 'terraform' });
  const values = async () => {
    const { body } = await user('GET', `/workspaces/${workspace}/vars`);
    return body.data.map(({ attributes }: { attributes: { value: string } }) => attributes.value).toSorted();
  };

  beforeAll(async () => {
    const server = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
    writeFileSync(join(folder, 'server.pem'), server.pem);
    writeFileSync(join(folder, 'server.key'), server.keyPem);
    writeFileSync(
      config,
      `listeners:
  - address: 127.0.0.1:0
    services: [workspaces, metrics]
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: { type: sqlite, directory: data }
keyring_file: keyring.json
limits: { lame_duck: 0s }
audit: { file: audit.log }
`,
    );
    const init = await new Command(['init', '--config', config]).ended();
    token = /user token +(\S+)/.exec(init.stdout)?.[1] ?? '';
    await serve();
    await make('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    workspace = await make('/organizations/acme/workspaces', 'workspaces', { name: 'one' });
    await variable('first', 'sealed by key 1');
  });
  afterAll(() => {
    command.signal('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('shows the keys, and how many values each has encrypted', async () => {
    expect(await keys()).toEqual([
      expect.objectContaining({ key: 1, role: 'primary', values: 1, columns: { 'variable.value': 1 } }),
    ]);
    const { stdout } = await run('list');
    expect(stdout).toMatch(
      /^KEY +ROLE +CREATED +SEALS FROM +VALUES +OF\n1 +primary +20\S+Z +the start +1 +variable\.value 1\n$/,
    );
  });

  it('refuses to remove the only key', async () => {
    const { code, stdout, stderr } = await run('prune', '1');
    expect([code, stdout, stderr]).toEqual([5, '', 'lockkeeper: key 1 encrypts new values now, so it must stay\n']);
  });

  it('adds a key for later use, which a running server loads', async () => {
    const { code, stdout, stderr } = await run('rotate', '--seals-in', '1h');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^key 2 is in .*keyring\.json, and encrypts from 20\S+Z on\n/);
    expect(statSync(keyring).mode & 0o777).toBe(0o600);
    expect((await keys()).map(({ key, role }) => `${key} ${role}`)).toEqual(['2 next', '1 primary']);
    expect((await run('rotate')).stderr).toMatch(/has key 2 already, which does not encrypt yet: wait for it/);
    expect((await run('prune', '2')).stderr).toBe('lockkeeper: key 2 encrypts new values soon, so it must stay\n');
  });

  it('that cannot be read again is reported until it can be read', { timeout: 60_000 }, async () => {
    const figure = async () => {
      const { text } = await call({ address, ca: serverCa.pem }, 'GET', '/metrics');
      return /^lockkeeper_keyring_current (\d)$/m.exec(text)?.[1];
    };
    expect(await figure()).toBe('1');
    const whole = readFileSync(keyring);
    writeFileSync(keyring, whole.subarray(0, 40));
    await expect.poll(figure, { timeout: 20_000 }).toBe('0');
    writeFileSync(keyring, whole);
    command.signal('SIGHUP');
    await expect.poll(figure, { timeout: 20_000 }).toBe('1');
    expect(await values()).toContain('sealed by key 1');
  });

  it('keeps a key with remaining encrypted values, and lists them', async () => {
    await stop();
    const content = JSON.parse(readFileSync(keyring, 'utf8'));
    content.keys['2'].seals_from = new Date().toISOString();
    writeFileSync(keyring, JSON.stringify(content));
    const { code, stderr } = await run('prune', '1');
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^lockkeeper: key 1 encrypts 1 values that are still there \(variable\.value 1\), so the key must stay\./,
    );
  });

  it('encrypts values again with the new key while a server runs, at once after SIGHUP', {
    timeout: 60_000,
  }, async () => {
    await serve();
    expect((await run('rotate', '--seals-in', '0s')).code).toBe(0);
    command.signal('SIGHUP');
    await variable('second', 'sealed by key 3');
    await expect
      .poll(async () => (await keys()).map(({ key, values: count }) => [key, count]), {
        timeout: 50_000,
        interval: 500,
      })
      .toEqual([
        [3, 2],
        [2, 0],
        [1, 0],
      ]);
    expect(await values()).toEqual(['sealed by key 1', 'sealed by key 3']);
  });

  it('keeps a key while batch tokens may need it, unless they may be dropped', async () => {
    const { code, stderr } = await run('prune', '1');
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /^lockkeeper: batch tokens encrypted with key 1 may be in use until 20\S+Z, so the key must stay\. Use --drop-ba/,
    );
    for (const key of ['1', '2']) {
      const pruned = await run('prune', key, '--drop-batch-tokens');
      expect(pruned.code, pruned.stderr).toBe(0);
      expect(pruned.stdout).toMatch(new RegExp(`^key ${key} was removed from `));
    }
    expect((await keys()).map(({ key, role }) => `${key} ${role}`)).toEqual(['3 primary']);
    expect(Object.keys(JSON.parse(readFileSync(keyring, 'utf8')).encryption)).toEqual(['3']);
  });

  it('can decrypt everything after a restart with only the new key', async () => {
    await stop();
    expect(command.stdout).not.toMatch(/"level":[56]0/);
    await serve();
    expect(await values()).toEqual(['sealed by key 1', 'sealed by key 3']);
  });

  it('says what is wrong', async () => {
    expect(await run('prune', '7')).toMatchObject({ code: 4, stderr: 'lockkeeper: no such key: 7\n' });
    expect(await run('prune', 'one')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^lockkeeper: one: expected/),
    });
    expect(await run('rotate', '--seals-in', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/a duration/),
    });
  });
});
