/**
 * What it costs to store a state and to read it: 1 KB, 1 MB and 50 MB, beside a bare server that writes the same bytes with the
 * same durability (sync of the file, rename, sync of the folder), without encryption, hashes, or a look inside. And how much
 * memory the server has taken at its peak, after 200 MB in both directions. Over HTTP without TLS, one at a time.
 *
 *     node bench/state.ts [--rounds 7] [--large 200]
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { call } from '../test/support/http.ts';
import { median } from './support/measure.ts';
import { startLockkeeper } from './support/servers.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, large: { type: 'string', default: '200' } },
});
const rounds = Number(values.rounds);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** A state of about that many bytes, different each time. */
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

/** Milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
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

const lockkeeper = await startLockkeeper();
const bare = spawn(process.execPath, [
  fileURLToPath(new URL('support/bare-files.ts', import.meta.url)),
  join(lockkeeper.folder, 'bare'),
]);
const [barePort] = (await once(createInterface({ input: bare.stdout }), 'line')).map(Number) as [number];
const { port, pid } = lockkeeper.plain;
const { token, path: workspace } = lockkeeper.show;

/** Resident memory at its peak, MB. */
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

async function round(bytes: number) {
  const state = stateOf(bytes, ++serial);
  let announced = { upload: '', id: '' };
  const announcing = await timed(async () => {
    announced = await announce(state);
  });
  const upload = await timed(() => send(port, 'PUT', announced.upload, state));
  const bareUpload = await timed(() => send(barePort, 'PUT', '/state', state));
  const path = await downloadPath(announced.id);
  let got: Buffer = Buffer.alloc(0);
  const download = await timed(async () => {
    got = await send(port, 'GET', path);
  });
  if (!got.equals(state)) throw new Error('what came back is something else');
  const bareDownload = await timed(() => send(barePort, 'GET', '/state'));
  return { announcing, upload, bareUpload, download, bareDownload };
}

const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0).padStart(8);

try {
  await call(
    { address: `https://127.0.0.1:${lockkeeper.tls.port}`, ca: lockkeeper.tls.ca },
    'POST',
    `${workspace}/actions/lock`,
    { token },
  );
  console.log('            announce    upload      bare   ratio    download      bare   ratio   (ms, medians)');
  for (const [name, bytes] of [
    ['1 KB', 1_000],
    ['1 MB', 1_000_000],
    ['50 MB', 50_000_000],
  ] as const) {
    const all: Awaited<ReturnType<typeof round>>[] = [];
    for (let i = 0; i <= rounds; i++) {
      const one = await round(bytes);
      if (i > 0) all.push(one);
    }
    const of = (figure: keyof (typeof all)[number]) => median(all.map((one) => one[figure]));
    const ratio = (ours: 'upload' | 'download', theirs: 'bareUpload' | 'bareDownload') =>
      median(all.map((one) => one[ours] / one[theirs]))
        .toFixed(2)
        .padStart(7);
    console.log(
      `${name.padEnd(10)}${ms(of('announcing'))}  ${ms(of('upload'))}  ${ms(of('bareUpload'))} ${ratio('upload', 'bareUpload')}    ` +
        `${ms(of('download'))}  ${ms(of('bareDownload'))} ${ratio('download', 'bareDownload')}`,
    );
  }
  console.log(`memory at its peak so far              ${peak().toFixed(0)} MB`);
  const { upload, download } = await round(Number(values.large) * 1_000_000);
  console.log(
    `${values.large} MB: upload ${ms(upload)} ms, download ${ms(download)} ms; memory at its peak ${peak().toFixed(0)} MB`,
  );
} finally {
  bare.kill('SIGTERM');
  agent.destroy();
  await lockkeeper.stop();
}
