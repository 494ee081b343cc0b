/**
 * Measures storing and reading a state: 1 KB, 1 MB and 50 MB at its signed URL, and 1 MB inside the JSON document. The
 * reference is a bare server that computes the same hashes (MD5 and SHA-256) and writes with the same durability
 * (fsync of the file, rename, fsync of the folder), without encryption or parsing. Prints wall time, CPU time of the
 * serving thread and of the process in milliseconds, and the peak memory after 200 MB in both directions. Uses plain
 * HTTP, one request at a time.
 *
 *     node bench/state.ts [--rounds 7] [--large 200] [--database postgres]
 *
 * PostgreSQL comes from LOCKKEEPER_TEST_POSTGRES, which nothing else may use: `node test/support/with-postgres.ts node
 * bench/state.ts --database postgres`.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { call } from '../test/support/http.ts';
import { median } from './support/measure.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    large: { type: 'string', default: '200' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const rounds = Number(values.rounds);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns a new state of about this size, bytes. */
function stateOf(bytes: number, serial: number): Buffer {
  const instance = (n: number) =>
    `{"index_key":${n},"schema_version":0,"attributes":{"id":"i-${serial}-${n}","tags":{"name":"x"},"data":"${'v'.repeat(700)}"}}`;
  const count = Math.max(0, Math.floor((bytes - 300) / instance(100_000).length));
  const parts = Array.from({ length: count }, (_, n) => instance(n));
  const resource = `{"mode":"managed","type":"t","name":"n","provider":"provider[\\"registry.opentofu.org/a/b\\"]","instances":[`;
  return Buffer.from(
    `{"version":4,"terraform_version":"1.10.0","serial":${serial},"lineage":"l","outputs":{},"resources":[${resource}${parts.join(',')}]}]}`,
  );
}

interface Cost {
  /** Wall time, CPU time of the serving thread, and CPU time of the process, milliseconds. */
  readonly time: number;
  readonly thread: number;
  readonly process: number;
}

/** Returns the CPU time of a process or of its first thread, milliseconds. The kernel counts a thread in nanoseconds. */
function cpu(pid: number): Pick<Cost, 'thread' | 'process'> {
  const of = (thread: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return 0;
    }
  };
  const all = readdirSync(`/proc/${pid}/task`).map(of);
  return { thread: of(String(pid)), process: all.reduce((sum, one) => sum + one, 0) };
}

async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = cpu(pid);
  const start = performance.now();
  await work();
  const time = performance.now() - start;
  const after = cpu(pid);
  return { time, thread: after.thread - before.thread, process: after.process - before.process };
}

function send(port: number, method: string, path: string, body?: Buffer, token = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body && { 'content-length': body.length, 'content-type': 'application/octet-stream' }),
      ...(token && { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }),
    };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      incoming.on('end', () => {
        const answer = Buffer.concat(parts);
        if ((incoming.statusCode ?? 0) < 300) resolve(answer);
        else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer.toString('utf8', 0, 300)}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

const url = process.env.LOCKKEEPER_TEST_POSTGRES;
if (values.database === 'postgres' && url === undefined) throw new Error('LOCKKEEPER_TEST_POSTGRES is not set');
const lockkeeper = await startLockkeeper(
  values.database === 'postgres' ? `{ type: postgres, url: '${url}', blob_directory: blobs }` : undefined,
);
const bare = spawn(process.execPath, [
  fileURLToPath(new URL('support/bare-files.ts', import.meta.url)),
  join(lockkeeper.folder, 'bare'),
]);
const [barePort] = (await once(createInterface({ input: bare.stdout }), 'line')).map(Number) as [number];
const { port, pid } = lockkeeper.plain;
const barePid = bare.pid ?? 0;
const { token, path: workspace } = lockkeeper.show;

/** Returns the peak resident memory, MB. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

let serial = 0;
const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

async function announce(state: Buffer): Promise<{ upload: string; id: string }> {
  const attributes = { serial, lineage: 'l', md5: createHash('md5').update(state).digest('hex') };
  const body = Buffer.from(JSON.stringify({ data: { type: 'state-versions', attributes } }));
  const answer = await send(port, 'POST', `${workspace}/state-versions`, body, token);
  const { data } = JSON.parse(answer.toString());
  return { upload: pathOf(data.attributes['hosted-state-upload-url']), id: data.id };
}

async function downloadPath(id: string): Promise<string> {
  const { data } = JSON.parse((await send(port, 'GET', `/api/v2/state-versions/${id}`, undefined, token)).toString());
  return pathOf(data.attributes['hosted-state-download-url']);
}

/** Uploads the whole state in one request. */
function inline(state: Buffer): Buffer {
  const md5 = createHash('md5').update(state).digest('hex');
  const attributes = { serial, lineage: 'l', md5, state: state.toString('base64') };
  return Buffer.from(JSON.stringify({ data: { type: 'state-versions', attributes } }));
}

async function round(bytes: number) {
  const state = stateOf(bytes, ++serial);
  let announced = { upload: '', id: '' };
  const announcing = await costOf(pid, async () => {
    announced = await announce(state);
  });
  const upload = await costOf(pid, () => send(port, 'PUT', announced.upload, state));
  const bareUpload = await costOf(barePid, () => send(barePort, 'PUT', '/state', state));
  const path = await downloadPath(announced.id);
  let got: Buffer = Buffer.alloc(0);
  const download = await costOf(pid, async () => {
    got = await send(port, 'GET', path);
  });
  if (!got.equals(state)) throw new Error('what came back is something else');
  const bareDownload = await costOf(barePid, () => send(barePort, 'GET', '/state'));
  return { announcing, upload, bareUpload, download, bareDownload };
}

async function inlineRound(bytes: number) {
  const body = inline(stateOf(bytes, ++serial));
  const upload = await costOf(pid, () => send(port, 'POST', `${workspace}/state-versions`, body, token));
  const bareUpload = await costOf(barePid, () => send(barePort, 'PUT', '/state', body));
  return { upload, bareUpload };
}

const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0).padStart(8);

/** Medians. The ratio compares wall times of the same round. */
function report(name: string, ours: readonly Cost[], bare: readonly Cost[] = []): void {
  const of = (costs: readonly Cost[]) =>
    (['time', 'thread', 'process'] as const).map((figure) => ms(median(costs.map((cost) => cost[figure])))).join('');
  const ratio = median(ours.map((cost, at) => cost.time / (bare[at]?.time ?? Number.NaN)));
  const beside = bare.length > 0 ? `${of(bare)}   ${ratio.toFixed(2).padStart(6)}` : '';
  console.log(`${name.padEnd(24)}${of(ours)}   ${beside}`);
}

/** The first round is a warm-up. */
async function repeated<T>(one: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let i = 0; i <= rounds; i++) all.push(await one());
  return all.slice(1);
}

try {
  await call(
    { address: `https://127.0.0.1:${lockkeeper.tls.port}`, ca: lockkeeper.tls.ca },
    'POST',
    `${workspace}/actions/lock`,
    { token },
  );
  console.log(`${values.database}; ms, medians                ours                    bare`);
  console.log('                            time  thread process       time  thread process    ratio of times');
  for (const [name, bytes] of [
    ['1 KB', 1_000],
    ['1 MB', 1_000_000],
    ['50 MB', 50_000_000],
  ] as const) {
    const all = await repeated(() => round(bytes));
    const costs = (figure: keyof (typeof all)[number]) => all.map((one) => one[figure]);
    if (bytes === 1_000) report('announce', costs('announcing'));
    report(`${name} up`, costs('upload'), costs('bareUpload'));
    report(`${name} down`, costs('download'), costs('bareDownload'));
  }
  const all = await repeated(() => inlineRound(1_000_000));
  report(
    '1 MB inside a document',
    all.map(({ upload }) => upload),
    all.map(({ bareUpload }) => bareUpload),
  );
  console.log(`memory at its peak so far              ${peak().toFixed(0)} MB`);
  const { upload, download } = await round(Number(values.large) * 1_000_000);
  console.log(
    `${values.large} MB: upload ${ms(upload.time)} ms, download ${ms(download.time)} ms; memory at its peak ${peak().toFixed(0)} MB`,
  );
} finally {
  bare.kill('SIGTERM');
  agent.destroy();
  await lockkeeper.stop();
}
