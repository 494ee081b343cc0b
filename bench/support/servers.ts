import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Authority, createRoot, generateKey } from '../../src/pki/index.ts';
import { call } from '../../test/support/http.ts';
import type { HttpTarget, TlsTarget } from './load.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const MAIN = at('../../src/main.ts');
const BARE = at('bare.ts');

interface Running {
  readonly pid: number;
  readonly firstLine: string;
  stop(): Promise<void>;
}

async function start(...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [firstLine] = await once(lines, 'line');
  child.stdout.resume();
  const exited = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    firstLine,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A request and its response, which a bare server has to answer alike. */
export interface Show {
  readonly path: string;
  readonly token: string;
  readonly bytes: string;
}

export interface Lockkeeper {
  /** Holds `server.pem` and `server.key`, for the bare server to use too. */
  readonly folder: string;
  readonly tls: TlsTarget;
  readonly plain: HttpTarget;
  readonly show: Show;
  readonly rootToken: string;
  readonly clientCa: Authority;
  /** A fresh process on the same data, which may be changed while there is none. */
  restart(meanwhile?: () => Promise<void>): Promise<Lockkeeper>;
  stop(): Promise<void>;
}

/**
 * The real server, with a role and a workspace: one listener with TLS, one without.
 * @param storage the section of the configuration; SQLite by default
 */
export async function startLockkeeper(storage = '{ type: sqlite, directory: data }'): Promise<Lockkeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'));
  const serverCa = createRoot();
  const clientCa = createRoot({ subject: 'Client CA' });
  const served = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  writeFileSync(join(folder, 'server.pem'), served.pem);
  writeFileSync(join(folder, 'server.key'), served.keyPem);
  const config = join(folder, 'lockkeeper.yaml');
  writeFileSync(config, `${CONFIG}storage: ${storage}\n`);
  const printed = execFileSync(process.execPath, [MAIN, 'init', '--config', config], { encoding: 'utf8' });
  const token = (kind: string) => new RegExp(`${kind} token +(\\S+)`).exec(printed)?.[1] ?? '';
  const client = clientCa.issue({ subject: 'bench.example.com', dns: ['bench.example.com'] });
  const base = { folder, rootToken: token('root'), clientCa };
  const first = await serve(config, serverCa.pem, client);
  const server = { address: `https://127.0.0.1:${first.tls.port}`, ca: serverCa.pem };
  const role = { certificate: clientCa.pem, allowed_common_names: '*.example.com' };
  await call(server, 'POST', '/v1/auth/cert/certs/bench', { token: base.rootToken, body: role });
  const show = await makeWorkspace(server, token('user'));
  const lockkeeper = (running: Serving): Lockkeeper => ({
    ...base,
    ...running,
    show,
    async restart(meanwhile) {
      await running.stop();
      await meanwhile?.();
      return lockkeeper(await serve(config, serverCa.pem, client));
    },
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  });
  return lockkeeper(first);
}

type Serving = Pick<Lockkeeper, 'tls' | 'plain' | 'stop'>;

async function serve(config: string, ca: string, certificate: TlsTarget['certificate']): Promise<Serving> {
  const { pid, firstLine, stop } = await start(MAIN, 'serve', '--config', config);
  const [tls = 0, plain = 0] = (JSON.parse(firstLine).addresses as string[]).map((one) => Number(new URL(one).port));
  return { tls: { pid, port: tls, ca, certificate }, plain: { pid, port: plain }, stop };
}

const CONFIG = `listeners:
  - { address: '127.0.0.1:0', services: [access, workspaces], tls: { certificate_file: server.pem, private_key_file: server.key } }
  - { address: '127.0.0.1:0', services: [workspaces], plain_http: true }
keyring_file: keyring.json
# The distribution point of the benchmark is on this machine.
revocation: { denied_addresses: [] }
`;

async function makeWorkspace(server: { address: string; ca: string }, token: string): Promise<Show> {
  const create = async (path: string, type: string, attributes: object) => {
    const { body } = await call(server, 'POST', `/api/v2/${path}`, { token, body: { data: { type, attributes } } });
    return body.data.id as string;
  };
  await create('organizations', 'organizations', { name: 'bench', email: 'bench@example.com' });
  const id = await create('organizations/bench/workspaces', 'workspaces', { name: 'bench' });
  const path = `/api/v2/workspaces/${id}`;
  return { path, token, bytes: (await call(server, 'GET', path, { token })).text };
}

export async function startBareTls({ folder, tls }: Lockkeeper): Promise<TlsTarget & { stop(): Promise<void> }> {
  const running = await start(BARE, 'tls', folder);
  return { ...tls, pid: running.pid, port: Number(running.firstLine), stop: running.stop };
}

export async function startBareHttp({
  folder,
  show,
}: Pick<Lockkeeper, 'folder' | 'show'>): Promise<HttpTarget & { stop(): Promise<void> }> {
  const file = join(folder, 'show.json');
  writeFileSync(file, show.bytes);
  const running = await start(BARE, 'http', file);
  return { pid: running.pid, port: Number(running.firstLine), stop: running.stop };
}

/** Roles that admit nobody of ours, each with an authority of its own. */
export async function addRoles({ tls, rootToken }: Lockkeeper, count: number): Promise<void> {
  const server = { address: `https://127.0.0.1:${tls.port}`, ca: tls.ca };
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const key = generateKey();
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) {
      const body = {
        certificate: createRoot({ subject: `Authority ${i}`, key }).pem,
        allowed_common_names: `host-${i}.*`,
      };
      await call(server, 'POST', `/v1/auth/cert/certs/role-${i}`, { token: rootToken, body, agent });
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  agent.destroy();
}
