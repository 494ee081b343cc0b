import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { packImage } from '../../../build/release/archives.ts';
import { createRoot } from '../../../src/pki/index.ts';
import { Command } from '../../support/command.ts';
import { call } from '../../support/http.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { buildImage, type Image, makeRootfs, ownedBy, run, within } from '../support/image.ts';

const ca = createRoot();
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-image-'));
let image: Image;
let rootfs = '';
let port = 0;

/** Settings and keys for the container, as an orchestrator mounts Secrets: owned by root, readable by our group. */
const settings = join(folder, 'settings');
const data = join(folder, 'data');
const mounts = { '/etc/lockkeeper': `${settings}:ro`, '/data': data };
const lockkeeper = (...args: string[]) =>
  run(within(image, mounts, [...image.config.Entrypoint, ...args, '--config', '/etc/lockkeeper/lockkeeper.yaml']));

beforeAll(async () => {
  mkdirSync(settings);
  port = await freePort();
  const program = dirname(inject('program') ?? '');
  rootfs = await makeRootfs(folder, program);
  image = await buildImage(folder);
  await ownedBy(image.config.User, data);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the image', () => {
  test('contains one program, no shell, and no file that its user may write', () => {
    const files = readdirSync(image.root, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mode, uid, size } = statSync(join(image.root, name), { throwIfNoEntry: false }) ?? {
        mode: 0,
        uid: 0,
        size: 0,
      };
      return { name, mode, uid, size, isFile: (mode & 0o170000) === 0o100000 };
    });
    const programs = files.filter(
      ({ isFile, mode, name }) => isFile && (mode & 0o111) !== 0 && !/\.so(\.\d+)*$/.test(name),
    );
    expect(programs.map(({ name }) => name).sort()).toEqual([
      'usr/bin/lockkeeper',
      'usr/bin/node',
      'usr/lib/lockkeeper/dist/main.js',
    ]);
    expect(files.filter(({ mode }) => (mode & 0o6000) !== 0)).toEqual([]);
    expect(
      files
        .filter(({ mode, uid }) => uid !== 0 || (mode & 0o002) !== 0)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['data', 'tmp']);
    expect(files.map(({ name }) => name)).toContain('var/lib/dpkg/status.d/libc6');
  });

  test('runs as user 10001, and has a health check', () => {
    const { User, Volumes, WorkingDir, Entrypoint, Cmd, Healthcheck } = image.config;
    expect({ User, Volumes, WorkingDir }).toEqual({
      User: '10001:10001',
      Volumes: { '/data': {} },
      WorkingDir: '/data',
    });
    expect([...Entrypoint, ...Cmd]).toEqual([
      '/usr/bin/lockkeeper',
      'serve',
      '--config',
      '/etc/lockkeeper/lockkeeper.yaml',
    ]);
    expect(Healthcheck?.Test).toEqual([
      'CMD',
      '/usr/bin/lockkeeper',
      'status',
      '--config',
      '/etc/lockkeeper/lockkeeper.yaml',
    ]);
  });

  test('has the same bytes in each build', async () => {
    const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
    const again = await makeRootfs(join(folder, 'again'), dirname(inject('program') ?? ''));
    expect(hash(again)).toBe(hash(rootfs));
    await packImage(folder, 'Containerfile', 'localhost/lockkeeper:test', join(folder, 'again.tar'));
    expect(hash(join(folder, 'again.tar'))).toBe(hash(join(folder, 'image.tar')));
  });
});

describe('a container of it', () => {
  test('serves, accepts a login with a certificate, and stops', async () => {
    await configure();
    expect((await lockkeeper('status')).code).toBe(6);
    const [program = '', ...args] = within(image, mounts, [...image.config.Entrypoint, ...image.config.Cmd]);
    const server = spawn(program, args);
    onTestFinished(() => void server.kill('SIGKILL'));
    const ended = once(server, 'exit');
    let output = '';
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${output}`)));
    await Promise.race([expect.poll(() => output, { timeout: 60_000 }).toContain('"msg":"ready"'), early]);
    early.catch(() => {});

    expect(await lockkeeper('status')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^ready\n {2}accepting: ok\n/),
    });
    const tokens = await initialize();
    const target = { address: `https://127.0.0.1:${port}`, ca: ca.pem };
    const body = { data: { type: 'organizations', attributes: { name: 'acme', email: 'ada@example.com' } } };
    expect((await call(target, 'POST', '/api/v2/organizations', { token: tokens.user, body })).status).toBe(201);
    const runners = createRoot();
    const role = { certificate: runners.pem, allowed_dns_sans: 'runner-*.example.com' };
    const auth = { token: tokens.root, body: { type: 'cert' } };
    await call(target, 'POST', '/v1/sys/auth/cert', auth);
    expect(
      (await call(target, 'POST', '/v1/auth/cert/certs/runners', { token: tokens.root, body: role })).status,
    ).toBeLessThan(300);
    const certificate = runners.issue({
      subject: 'runner-1',
      dns: ['runner-1.example.com'],
      extendedKeyUsage: ['clientAuth'],
    });
    const login = await call(target, 'POST', '/v1/auth/cert/login', { certificate, body: {} });
    expect(login).toMatchObject({ status: 200, body: { auth: { client_token: expect.stringMatching(/^lks\./) } } });

    process.kill(firstOf(server.pid), 'SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  test('does not start with a keyring that others may read', async () => {
    chmodSync(join(settings, 'keyring.json'), 0o444);
    const { code, output } = await lockkeeper('serve');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('can be accessed by other users than its owner'),
    });
  });
});

/** The first process of its container. */
function firstOf(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** An operator creates the keyring elsewhere, and the orchestrator mounts it. */
async function configure(): Promise<void> {
  const served = ca.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  hand('server.pem', served.pem);
  hand('server.key', served.keyPem);
  hand('lockkeeper.yaml', CONFIG(port));
  const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
  cpSync(settings, elsewhere, { recursive: true });
  const set = ['--set', `storage.directory=${elsewhere}/data`];
  const { code, stderr } = await new Command(['init', '--config', join(elsewhere, 'lockkeeper.yaml'), ...set]).ended();
  if (code !== 0) throw new Error(stderr);
  hand('keyring.json', readFileSync(join(elsewhere, 'keyring.json'), 'utf8'));
}

/** Runs in the container of the running server: the image has no shell and needs none. */
async function initialize(): Promise<{ readonly root: string; readonly user: string }> {
  const { code, output } = await lockkeeper('init');
  if (code !== 0) throw new Error(output);
  const token = (name: string) => new RegExp(`^${name} token +(\\S+)`, 'm').exec(output)?.[1] ?? '';
  return { root: token('root'), user: token('user') };
}

function hand(name: string, text: string): void {
  const file = join(settings, name);
  writeFileSync(file, text);
  chownSync(file, 0, 10_001);
  chmodSync(file, 0o440);
}

const CONFIG = (port: number) => `listeners:
  - { address: '0.0.0.0:${port}', services: [access, workspaces], tls: { certificate_file: server.pem, private_key_file: server.key } }
keyring_file: keyring.json
storage: { type: sqlite, directory: /data }
limits: { lame_duck: 0s }
`;
