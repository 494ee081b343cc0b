import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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

async function start(args: readonly string[], environment: Record<string, string> = {}): Promise<Running> {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
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

/** A request, and the response that the reference returns too. */
export interface Show {
  readonly path: string;
  readonly token: string;
  readonly bytes: string;
}

export interface Lockkeeper {
  /** Folder with `server.pem` and `server.key`, which the reference uses too. */
  readonly folder: string;
  readonly tls: TlsTarget;
  readonly plain: HttpTarget;
  readonly show: Show;
  readonly rootToken: string;
  readonly clientCa: Authority;
  /** Restarts the server on its data; a callback may change the data in between. */
  restart(meanwhile?: () => Promise<void>): Promise<Lockkeeper>;
  /** Starts another node on the same PostgreSQL. */
  beside(environment: Record<string, string>): Promise<Serving>;
  stop(): Promise<void>;
}

/**
 * Starts the real server with a role, a workspace, a TLS listener and a plain listener.
 * @param storage the section of the configuration; SQLite by default
 * @param main program to start; default: the sources
 * @param services of the TLS listener
 */
export async function startLockkeeper(
  storage = '{ type: sqlite, directory: data }',
  main = MAIN,
  services = 'access, workspaces',
): Promise<Lockkeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'));
  const serverCa = createRoot();
  const clientCa = createRoot({ subject: 'Client CA' });
  const served = serverCa.issue({ subject: 'localhost', ips: ['127.0.0.1'], extendedKeyUsage: ['serverAuth'] });
  writeFileSync(join(folder, 'server.pem'), served.pem);
  writeFileSync(join(folder, 'server.key'), served.keyPem);
  const config = join(folder, 'lockkeeper.yaml');
  writeFileSync(config, `${configOf(services)}storage: ${storage}\n`);
  const printed = execFileSync(process.execPath, [main, 'init', '--config', config], { encoding: 'utf8' });
  const token = (kind: string) => new RegExp(`${kind} token +(\\S+)`).exec(printed)?.[1] ?? '';
  const client = clientCa.issue({ subject: 'bench.example.com', dns: ['bench.example.com'] });
  const base = { folder, rootToken: token('root'), clientCa };
  const first = await serve(main, config, serverCa.pem, client);
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
      return lockkeeper(await serve(main, config, serverCa.pem, client));
    },
    beside: (environment) => serve(main, config, serverCa.pem, client, environment),
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  });
  return lockkeeper(first);
}

type Serving = Pick<Lockkeeper, 'tls' | 'plain' | 'stop'>;

/** @param environment default: one process, whose CPU time is measured */
async function serve(
  main: string,
  config: string,
  ca: string,
  certificate: TlsTarget['certificate'],
  environment: Record<string, string> = { LOCKKEEPER_WORKERS: '1' },
): Promise<Serving> {
  const { pid, firstLine, stop } = await start([main, 'serve', '--config', config], environment);
  const [tls = 0, plain = 0] = (JSON.parse(firstLine).addresses as string[]).map((one) => Number(new URL(one).port));
  return { tls: { pid, port: tls, ca, certificate }, plain: { pid, port: plain }, stop };
}

const configOf = (services: string) => `listeners:
  - { address: '127.0.0.1:0', services: [${services}], tls: { certificate_file: server.pem, private_key_file: server.key } }
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

type Bare<T> = T & { stop(): Promise<void> };

async function startBare<T extends HttpTarget>(target: T, ...args: readonly string[]): Promise<Bare<T>> {
  const { pid, firstLine, stop } = await start([BARE, ...args]);
  return { ...target, pid, port: Number(firstLine), stop };
}

/** Reference that only handshakes. */
export function startBareTls({ folder, tls }: Lockkeeper): Promise<Bare<TlsTarget>> {
  return startBare(tls, 'tls', folder);
}

/** Reference that reads the client certificate and returns these bytes. */
export function startBareHttps({ folder, tls }: Lockkeeper, bytes: string): Promise<Bare<TlsTarget>> {
  return startBare(tls, 'https', folder, fileOf(folder, bytes));
}

export function startBareHttp({ folder }: Pick<Lockkeeper, 'folder'>, bytes: string): Promise<Bare<HttpTarget>> {
  return startBare({ pid: 0, port: 0 }, 'http', fileOf(folder, bytes));
}

function fileOf(folder: string, bytes: string): string {
  const file = join(folder, `${randomUUID()}.json`);
  writeFileSync(file, bytes);
  return file;
}

/** Creates roles that no client of the benchmark matches, each with its own CA. */
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
