import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevServer, startDev } from '../../../support/command.ts';

/** Instances of about 1 KB each. */
const INSTANCES = 96_000;
/** Additional memory of the process, MB: less than the state, of which no more than one copy may be held. */
const MOST_MORE_MB = 80;

/** Yields a state as JSON, a hundred instances at a time. */
function* largeState(): Generator<Buffer> {
  const resource = '{"mode":"managed","type":"aws_instance","name":"web","provider":"p","instances":[';
  yield Buffer.from(`{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[${resource}`);
  const data = 'v'.repeat(950);
  for (let first = 0; first < INSTANCES; first += 100) {
    const some = Array.from({ length: 100 }, (_, n) => `{"index_key":${first + n},"attributes":{"data":"${data}"}}`);
    yield Buffer.from((first === 0 ? '' : ',') + some.join(','));
  }
  yield Buffer.from(']}]}');
}

function digestOf(parts: Iterable<Buffer>) {
  const hash = createHash('md5');
  let size = 0;
  for (const part of parts) {
    hash.update(part);
    size += part.length;
  }
  return { md5: hash.digest('hex'), size };
}

let folder: string;
let server: DevServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
  server = await startDev(folder);
}, 60_000);
afterAll(async () => {
  server.command.signal('SIGTERM');
  await server.command.ended();
  rmSync(folder, { recursive: true });
});

const user = async (method: string, path: string, body?: object) => {
  const answer = await server.call(method, path, { token: server.line.user_token, ...(body && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data;
};

async function open(method: string, address: string, body: Iterable<Buffer> = []): Promise<IncomingMessage> {
  const { pathname, search } = new URL(address);
  const outgoing = request(server.line.address + pathname + search, {
    method,
    ca: readFileSync(server.line.ca_file, 'utf8'),
    headers: { 'content-type': 'application/octet-stream' },
  });
  const answered = once(outgoing, 'response');
  await pipeline(Readable.from(body, { objectMode: false }), outgoing);
  const [answer] = (await answered) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}

/** Returns the memory of the process in MB: now, and the peak since `forget`. */
function memory(): { now: number; peak: number } {
  const status = readFileSync(`/proc/${server.line.pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Resets the peak, because the start of a server takes more memory than anything after it. */
function forget(): void {
  writeFileSync(`/proc/${server.line.pid}/clear_refs`, '5');
}

test.runIf(process.platform === 'linux')(
  'a large state passes through in both directions without being held in memory',
  async () => {
    const { md5, size } = digestOf(largeState());
    expect(size).toBeGreaterThan(90_000_000);
    const { id } = await user('POST', `/api/v2/organizations/${server.line.organization}/workspaces`, {
      data: { type: 'workspaces', attributes: { name: 'large' } },
    });
    await user('POST', `/api/v2/workspaces/${id}/actions/lock`);
    const { attributes } = await user('POST', `/api/v2/workspaces/${id}/state-versions`, {
      data: { type: 'state-versions', attributes: { serial: 1, lineage: 'l', md5 } },
    });
    const before = memory().now;
    forget();
    await text(await open('PUT', attributes['hosted-state-upload-url'], largeState()));
    const current = await user('GET', `/api/v2/workspaces/${id}/current-state-version`);
    expect(current.attributes).toMatchObject({ size, status: 'finalized' });

    const hash = createHash('md5');
    for await (const part of await open('GET', current.attributes['hosted-state-download-url'])) hash.update(part);
    expect(hash.digest('hex')).toBe(md5);
    expect(memory().peak - before).toBeLessThan(MOST_MORE_MB);
  },
  120_000,
);
