import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Command, type DevServer, startDev } from '../support/command.ts';

const HELPER = fileURLToPath(new URL('../../src/credentials-helper.ts', import.meta.url));

/** Runs the helper as OpenTofu and Terraform do: a verb, a host, JSON on standard output. */
describe('terraform-credentials-lockkeeper', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-helper-'));
  let server: DevServer;
  let host: string;
  let runtime: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    server = await startDev(join(folder, 'dev'));
    host = new URL(server.line.address).host;
  });
  beforeEach(() => {
    runtime = mkdtempSync(join(folder, 'run-'));
    environment = {
      LOCKKEEPER_ADDR: server.line.address,
      LOCKKEEPER_CACERT: server.line.ca_file,
      LOCKKEEPER_CERT: server.line.client_cert_file,
      LOCKKEEPER_KEY: server.line.client_key_file,
      LOCKKEEPER_ROLE: 'runner',
      LOCKKEEPER_RUNTIME_DIR: runtime,
    };
  });
  afterAll(async () => {
    server.command.signal('SIGTERM');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    new Command(args, { ...environment, ...more }, HELPER).ended();
  const get = async (more: Record<string, string> = {}, ...options: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run([...options, 'get', host], more);
    expect([code, stderr]).toEqual([0, '']);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer)).toEqual(['token']);
    return answer.token;
  };
  it('escapes control sequences in errors', async () => {
    const { code, stderr } = await run(['get', '\u001b[2J']);
    expect(code).not.toBe(0);
    const { code: usage, stderr: wrong } = await run(['--config', '\u001b[2J', 'get', host]);
    expect([usage === 0, wrong]).toEqual([false, expect.stringContaining('\\x1b[2J')]);
    expect(`${stderr}${wrong}`).not.toContain('\u001b');
  });

  const lookup = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
  const role = async (name: string, settings: object = {}) => {
    const certificate = readFileSync(join(folder, 'dev', 'certificates', 'client-ca.pem'), 'utf8');
    const body = { certificate, allowed_common_names: '*.lockkeeper.test', token_ttl: '1h', ...settings };
    const { status } = await server.call('POST', `/v1/auth/cert/certs/${name}`, {
      token: server.line.root_token,
      body,
    });
    expect(status).toBe(204);
  };
  /** Simulates that time has passed: changes the expiry of the saved token. */
  const age = (left: number) => {
    const [name = ''] = readdirSync(runtime);
    const kept = JSON.parse(readFileSync(join(runtime, name), 'utf8'));
    writeFileSync(join(runtime, name), JSON.stringify({ ...kept, expiresAt: Date.now() + left }));
  };

  it('get prints a token for the certificate, which the workspace API accepts', async () => {
    const token = await get();
    const { status } = await server.call('GET', '/api/v2/organizations/demo/entitlement-set', { token });
    expect(status).toBe(200);
    expect((await lookup(token)).body.data).toMatchObject({ meta: { cert_name: 'runner' }, type: 'service' });
  });

  it('caches the token until it expires, in a file only for its owner', async () => {
    const token = await get();
    expect(await get()).toBe(token);
    const [name = ''] = readdirSync(runtime);
    expect(statSync(join(runtime, name)).mode & 0o777).toBe(0o600);
    expect(name).not.toContain('127.0.0.1');
  });

  it('creates the token folder only for its owner', async () => {
    const fresh = join(runtime, 'own');
    await get({ LOCKKEEPER_RUNTIME_DIR: fresh });
    expect(statSync(fresh).mode & 0o777).toBe(0o700);
    const session = join(runtime, 'session');
    mkdirSync(session);
    await get({ LOCKKEEPER_RUNTIME_DIR: '', XDG_RUNTIME_DIR: session });
    expect(readdirSync(join(session, 'lockkeeper'))).toHaveLength(1);
  });

  it('renews a token before it expires, so that its other users can continue', async () => {
    const token = await get();
    age(60_000);
    expect(await get()).toBe(token);
    const [name = ''] = readdirSync(runtime);
    expect(JSON.parse(readFileSync(join(runtime, name), 'utf8')).expiresAt).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('logs in again when the token has expired, was revoked, or cannot be renewed', async () => {
    const ended = await get();
    age(0);
    const second = await get();
    expect(second).not.toBe(ended);
    await server.call('POST', '/v1/auth/token/revoke-self', { token: second });
    age(60_000);
    const third = await get();
    expect(third).not.toBe(second);
    rmSync(runtime, { recursive: true });
    await role('batch', { token_type: 'batch' });
    const fourth = await get({ LOCKKEEPER_ROLE: 'batch' });
    age(60_000);
    expect(await get({ LOCKKEEPER_ROLE: 'batch' })).not.toBe(fourth);
  });

  it('caches a token for each certificate, role and mount', async () => {
    await role('other');
    const runner = await get({ LOCKKEEPER_ROLE: 'runner' });
    const other = await get({ LOCKKEEPER_ROLE: 'other' });
    expect(other).not.toBe(runner);
    expect(await get({ LOCKKEEPER_ROLE: 'runner' })).toBe(runner);
    expect((await lookup(other)).body.data.meta.cert_name).toBe('other');
    expect(readdirSync(runtime)).toHaveLength(2);
  });

  it('presents the certificate to no other host: those get no credentials', async () => {
    for (const other of ['app.terraform.io', 'localhost', '127.0.0.1', '127.0.0.1:1']) {
      const { code, stdout } = await run(['get', other]);
      expect([code, stdout]).toEqual([0, '{}\n']);
    }
    expect((await run(['get', host], { LOCKKEEPER_CERT: '' })).stdout).toBe('{}\n');
    expect((await run(['get', host], { LOCKKEEPER_ADDR: '' })).stdout).toBe('{}\n');
  });

  it('reads hosts from a configuration file, whose paths are relative to it', async () => {
    const certificates = join(folder, 'dev', 'certificates');
    const file = join(certificates, 'credentials.json');
    const settings = { cert: 'client.pem', key: 'client.key', ca_cert: 'server-ca.pem', role: 'runner', mount: 'cert' };
    writeFileSync(file, JSON.stringify({ hosts: { [host]: settings } }));
    const bare = { LOCKKEEPER_ADDR: '', LOCKKEEPER_CERT: '', LOCKKEEPER_KEY: '', LOCKKEEPER_CACERT: '' };
    expect(await get(bare, `--config=${file}`)).toMatch(/^lks\./);
    expect((await run(['--config', file, 'get', 'registry.opentofu.org'], bare)).stdout).toBe('{}\n');
    writeFileSync(
      file,
      JSON.stringify({ hosts: { 'lockkeeper.test': { ...settings, address: server.line.address } } }),
    );
    expect((await run(['--config', file, 'get', 'LOCKKEEPER.test:443'], bare)).stdout).toMatch(/^\{"token":"lks\./);
    writeFileSync(file, JSON.stringify({ hosts: { [host]: { ...settings, password: 'x' } } }));
    const { code, stderr } = await run(['--config', file, 'get', host], bare);
    expect([code, stderr.includes('password is not a known setting')]).toEqual([2, true]);
  });

  it('store saves nothing, and explains why', async () => {
    const command = new Command(['store', host], environment, HELPER);
    command.process.stdin?.end('{"token":"long-lived"}');
    const { code, stdout, stderr } = await command.ended();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('comes from the certificate');
    expect(stderr).not.toContain('long-lived');
    expect(readdirSync(runtime)).toEqual([]);
  });

  it('forget revokes the token, and succeeds without one', async () => {
    const token = await get();
    for (const expected of [403, 403]) {
      expect(await run(['forget', host])).toEqual({ code: 0, stdout: '', stderr: '' });
      expect((await lookup(token)).status).toBe(expected);
    }
    expect(readdirSync(runtime)).toEqual([]);
    expect((await run(['forget', 'app.terraform.io'])).code).toBe(0);
  });

  it('refuses files and folders that other users can write', async () => {
    const token = await get();
    const [name = ''] = readdirSync(runtime);
    chmodSync(join(runtime, name), 0o644);
    const second = await get();
    expect(second).not.toBe(token);
    const elsewhere = join(folder, 'planted.json');
    writeFileSync(elsewhere, JSON.stringify({ token: 'planted', expiresAt: Date.now() + 9e9, ttl: 9e9 }), {
      mode: 0o600,
    });
    rmSync(join(runtime, name));
    symlinkSync(elsewhere, join(runtime, name));
    expect(await get()).toMatch(/^lks\./);
    rmSync(join(runtime, name));
    chmodSync(runtime, 0o777);
    await get();
    expect(readdirSync(runtime)).toEqual([]);
    expect(await get({ LOCKKEEPER_RUNTIME_DIR: '/nowhere/at/all' })).toMatch(/^lks\./);
  });

  it('prints errors on standard error, without secrets, and exits with a code', async () => {
    for (const [args, more, code, text] of [
      [[], {}, 2, 'usage:'],
      [['get'], {}, 2, 'usage:'],
      [['erase', host], {}, 2, 'usage:'],
      [['get', 'a b'], {}, 2, 'is not a host name'],
      [['get', host], { LOCKKEEPER_CACERT: '' }, 6, 'LOCKKEEPER_CACERT'],
      [['get', host], { LOCKKEEPER_KEY: '/nowhere' }, 2, 'cannot read /nowhere'],
      [['get', host], { LOCKKEEPER_ROLE: 'nobody' }, 3, 'lockkeeper cert explain'],
      [['get', host], { LOCKKEEPER_MOUNT: 'nowhere' }, 3, ''],
    ] as const) {
      const ended = await run(args, more);
      expect([ended.code, ended.stdout], JSON.stringify([args, more])).toEqual([code, '']);
      expect(ended.stderr).toContain(text);
      expect(ended.stderr).not.toContain('PRIVATE KEY');
      expect(ended.stderr).not.toMatch(/lks\./);
    }
  });
});
