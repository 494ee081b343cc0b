/** Reference server for states: `bare-files.ts DIRECTORY`. Prints its port. PUT hashes and writes durably, GET reads. */
import { createHash, createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const directory = process.argv[2] ?? '';
await mkdir(directory, { recursive: true });

/** Writes as durably as our server, with equal hashes: first the bytes, then the name. */
async function put(path: string, request: IncomingMessage): Promise<void> {
  const draft = await open(`${path}.draft`, 'w');
  const hashes = [createHash('md5'), createHmac('sha256', 'key')];
  for await (const part of request) {
    for (const hash of hashes) hash.update(part as Buffer);
    await draft.write(part as Buffer);
  }
  for (const hash of hashes) hash.digest();
  await draft.datasync();
  await draft.close();
  await rename(`${path}.draft`, path);
  const folder = await open(directory, 'r');
  await folder.sync();
  await folder.close();
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(directory, (request.url ?? '/x').slice(1));
  if (request.method === 'PUT') {
    await put(path, request);
    response.end();
  } else {
    const { size } = await stat(path);
    response.writeHead(200, { 'content-length': size });
    createReadStream(path, { highWaterMark: 131_072 }).pipe(response);
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.once('SIGTERM', () => process.exit(0));
