import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type DevServer, startDev } from '../support/command.ts';
import { createRoot } from '../support/pki.ts';
import { hasEngine } from '../support/runner/run.ts';

/** Twelve workspaces, and one with remote execution where an engine is installed, without the one below. */
const WORKSPACES = hasEngine ? 13 : 12;

/** Follows the demo's repository where an engine is installed. Its runs change it at any time. */
const FOLLOWING = 'infrastructure';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'lockkeeper-dev-'));

async function stop({ command }: DevServer): Promise<void> {
  command.signal('SIGTERM');
  expect(await command.ended()).toMatchObject({ code: 0, stderr: '' });
}

describe('lockkeeper dev', () => {
  const folder = join(temporary(), 'demo');
  let server: DevServer;
  const workspaces = async ({ call, line }: DevServer) => {
    const path = `/api/v2/organizations/${line.organization}/workspaces?page[size]=100`;
    const { data } = (await call('GET', path, { token: line.user_token })).body;
    return data.filter(({ attributes }: { attributes: { name: string } }) => attributes.name !== FOLLOWING);
  };

  beforeAll(async () => {
    server = await startDev(folder);
  });
  afterAll(async () => {
    server.command.signal('SIGKILL');
    await server.command.ended();
    rmSync(folder, { recursive: true });
  });

  it('prints exactly one line of JSON, once it accepts connections', async () => {
    expect(Object.keys(server.line)).toEqual([
      'console_address',
      'sign_in_address',
      'address',
      'ca_file',
      'root_token',
      'user_token',
      'organization',
      'role',
      'client_cert_file',
      'client_key_file',
      'pid',
    ]);
    expect(server.line.pid).toBe(server.command.process.pid);
    expect((await server.call('GET', '/v1/sys/health')).body).toMatchObject({ initialized: true, sealed: false });
    expect(server.command.stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('has a dozen workspaces of different shapes', async () => {
    const found = await workspaces(server);
    expect(found).toHaveLength(WORKSPACES);
    const attributes = found.map((one: { attributes: Record<string, unknown> }) => one.attributes);
    const projects = found.map(
      (one: { relationships: { project: { data: { id: string } } } }) => one.relationships.project.data.id,
    );
    expect(new Set(projects).size).toBe(3);
    expect(attributes.filter(({ locked }: { locked: boolean }) => locked)).toHaveLength(hasEngine ? 3 : 2);
    expect(new Set(attributes.flatMap((one: Record<string, unknown>) => one['tag-names'])).size).toBeGreaterThan(5);
    expect(new Set(attributes.map((one: Record<string, unknown>) => one['execution-mode']))).toEqual(
      new Set(['local', 'remote']),
    );
  });

  it('accepts the sample certificate, whose token can lock a workspace', async () => {
    const { call, certificate, line } = server;
    const login = await call('POST', '/v1/auth/cert/login', { certificate, body: { name: line.role } });
    expect(login.status).toBe(200);
    const token = login.body.auth.client_token;
    const free = (await workspaces(server)).find((one: { attributes: { locked: boolean } }) => !one.attributes.locked);
    const locked = await call('POST', `/api/v2/workspaces/${free.id}/actions/lock`, { token });
    expect([locked.status, locked.body.data.attributes.locked]).toEqual([200, true]);
  });

  it('has a root token and a user token that work', async () => {
    const { call, line } = server;
    expect((await call('LIST', '/v1/auth/cert/certs', { token: line.root_token })).body.data.keys).toEqual([line.role]);
    expect(
      (await call('GET', '/api/v2/account/details', { token: line.user_token })).body.data.attributes.username,
    ).toBe('dev');
  });

  it('writes secrets only for their owner', () => {
    for (const file of [
      'lockkeeper-dev.json',
      'keyring.json',
      'certificates/client.key',
      'data/access.db',
      'audit.log',
    ]) {
      expect([file, statSync(join(folder, file)).mode & 0o077]).toEqual([file, 0]);
    }
  });

  it('keeps all data between starts', async () => {
    const before = await workspaces(server);
    await stop(server);
    const { root_token, user_token } = server.line;
    server = await startDev(folder);
    expect(server.line).toMatchObject({ root_token, user_token });
    expect(await workspaces(server)).toEqual(before);
  });

  it('starts with new data on request', async () => {
    const [before] = await workspaces(server);
    const { root_token } = server.line;
    await stop(server);
    server = await startDev(folder, ['--fresh']);
    expect(server.line.root_token).not.toBe(root_token);
    expect((await workspaces(server)).map((one: { id: string }) => one.id)).not.toContain(before.id);
  });

  it('takes both tokens from the environment, with a new and an existing folder', async () => {
    await stop(server);
    const environment = { LOCKKEEPER_DEV_ROOT_TOKEN: 'my-root', LOCKKEEPER_DEV_USER_TOKEN: 'my-user-token' };
    for (const args of [[], ['--fresh']]) {
      server = await startDev(folder, args, environment);
      expect(server.line).toMatchObject({ root_token: 'my-root', user_token: 'my-user-token' });
      const root = await server.call('GET', '/v1/auth/token/lookup-self', { headers: { 'x-vault-token': 'my-root' } });
      expect(root.body.data.policies).toEqual(['root']);
      expect(await workspaces(server)).toHaveLength(WORKSPACES);
      await stop(server);
    }
    await expect(startDev(folder, [], { LOCKKEEPER_DEV_ROOT_TOKEN: 'two words' })).rejects.toThrow(
      'LOCKKEEPER_DEV_ROOT_TOKEN: expected 1 to 512 printable ASCII characters',
    );
    server = await startDev(folder);
    expect(server.line.root_token).toBe('my-root');
  });

  it('fetches CRLs from this machine when a flag or the environment allows it', async () => {
    const { der } = createRoot().crl();
    const point = createServer((_, response) => response.end(der));
    await new Promise<void>((resolve) => point.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(point.address() as AddressInfo).port}/`;
    const put = async ({ call, line }: DevServer) => {
      const { status, body } = await call('POST', '/v1/auth/cert/crls/own', { token: line.root_token, body: { url } });
      return [status, body?.errors[0]];
    };
    expect(await put(server)).toEqual([
      400,
      `failed to fetch CRL from ${url}: 127.0.0.1 leads to the denied address 127.0.0.1`,
    ]);
    const name = 'LOCKKEEPER_REVOCATION_ALLOWED_ADDRESSES';
    for (const [args, environment] of [
      [['--allow-revocation-address', 'localhost', '--allow-revocation-address', '127.0.0.1'], { [name]: '10.0.0.1' }],
      [[], { [name]: 'ocsp.example.com, 127.0.0.0/31' }],
    ] as const) {
      await stop(server);
      server = await startDev(folder, args, environment);
      expect(await put(server)).toEqual([204, undefined]);
    }
    await stop(server);
    await expect(startDev(folder, ['--allow-revocation-address', 'http://localhost'])).rejects.toThrow(
      '--allow-revocation-address: found "http://localhost"; allowed: host names, IP addresses and CIDR blocks',
    );
    await expect(startDev(folder, [], { [name]: '10.0.0.0/33' })).rejects.toThrow(`${name}: found "10.0.0.0/33"`);
    server = await startDev(folder);
    point.close();
  }, 60_000);

  it('changes only folders that it has created', async () => {
    const foreign = temporary();
    writeFileSync(join(foreign, 'precious'), 'data');
    for (const args of [[], ['--fresh']]) {
      const { code, stderr } = await new Command(['dev', '--data', foreign, ...args]).ended();
      expect(code).toBe(1);
      expect(stderr).toMatch(/neither empty nor a folder of `lockkeeper dev`; choose another folder with --data/);
    }
    expect(readFileSync(join(foreign, 'precious'), 'utf8')).toBe('data');
    rmSync(foreign, { recursive: true });
  });

  it('reports an invalid address and a port in use', async () => {
    const bad = await new Command(['dev', '--listen', 'nonsense', '--data', join(folder, 'x')]).ended();
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringMatching(/--listen: found "nonsense"; allowed: HOST:PORT/),
    ]);
    expect(existsSync(join(folder, 'x'))).toBe(false);
    const port = new URL(server.line.address).port;
    const second = temporary();
    const taken = await new Command(['dev', '--listen', `127.0.0.1:${port}`, '--data', second]).ended();
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(new RegExp(`127.0.0.1:${port} is in use`))]);
    rmSync(second, { recursive: true });
  });
});
