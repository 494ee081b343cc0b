import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Limits } from '../../../../src/server/index.ts';
import { workspacesService } from '../../../../src/workspaces/index.ts';
import { dial, dialHttp2, listening, message, serverTls } from '../../../support/listening.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { resource, stateText, worker } from '../support/states.ts';

const OCTETS = { 'Content-Type': 'application/octet-stream' };
const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

let api: TestApi;
let acme: TestOrganization;
let names = 0;
beforeAll(async () => {
  api = await startApi('sqlite');
  acme = await newOrganization(api);
});
afterAll(() => api.close());

async function serve(limits: Partial<Limits>, tls: typeof serverTls | false = serverTls) {
  const server = await listening({ tls, limits, services: [workspacesService(api.workspaces)] });
  onTestFinished(() => server.server.close(0));
  return server;
}

/** A version that waits for `text`. */
async function announced(text: string) {
  const at = worker(api, acme.owner, await acme.workspace(`slow-${++names}`));
  await at.lock();
  const { id, attributes } = (await at.create(text, { serial: 1 })).body.data;
  const status = async () => (await acme.owner.call('GET', `/state-versions/${id}`)).body.data.attributes.status;
  return { at, id, status, upload: pathOf(attributes['hosted-state-upload-url']) };
}

describe.each([
  ['plain', false as const],
  ['TLS', serverTls],
])('states over a slow line, HTTP/1.1, %s', (_name, tls) => {
  const text = stateText(1);

  test('an upload may take longer than other requests, as long as something comes', async () => {
    const server = await serve({ requestMs: 100, transferIdleMs: 2_000 }, tls);
    const { upload, status } = await announced(text);
    const wire = await dial(server);
    await wire.write(message('PUT', upload, { ...OCTETS, 'Content-Length': String(text.length) }));
    for (let at = 0; at < text.length; at += 100) {
      await wire.write(text.slice(at, at + 100));
      await pause(80);
    }
    expect((await wire.next()).status).toBe(200);
    expect(await status()).toBe('finalized');
  });

  test('an upload that stalls is aborted, and the version stays pending', async () => {
    const server = await serve({ requestMs: 60_000, transferIdleMs: 100 }, tls);
    const { upload, status } = await announced(text);
    const wire = await dial(server);
    const head = message('PUT', upload, { ...OCTETS, 'Content-Length': String(text.length) });
    expect((await wire.ask(head + text.slice(0, 50))).status).toBe(408);
    await wire.closed;
    expect(await status()).toBe('pending');
    const again = await dial(server);
    expect((await again.ask(head + text)).status).toBe(200);
    expect(await status()).toBe('finalized');
  });

  test('an upload that never ends is aborted', async () => {
    const server = await serve({ headersMs: 100, transferMs: 300, transferIdleMs: 60_000 }, tls);
    const { upload, status } = await announced(text);
    const wire = await dial(server);
    await wire.write(message('PUT', upload, { ...OCTETS, 'Content-Length': '1000000' }));
    const dripping = setInterval(() => wire.socket.write(' '), 20);
    onTestFinished(() => clearInterval(dripping));
    expect((await wire.next()).status).toBe(408);
    await wire.closed;
    expect(await status()).toBe('pending');
  });

  test('a request without a signed URL gets no more time than others, authenticated or not', async () => {
    const server = await serve({ requestMs: 100, transferMs: 60_000 }, tls);
    const wire = await dial(server);
    const { upload } = await announced(text);
    const forged = upload.replace(/.{4}$/, 'AAAA');
    expect((await wire.ask(message('PUT', forged, { ...OCTETS, 'Content-Length': '1000000' }))).status).toBe(401);
    const dripping = setInterval(() => wire.socket.write(' '), 20);
    onTestFinished(() => clearInterval(dripping));
    await wire.closed;
  });

  test('a download that the client does not read is aborted', async () => {
    const server = await serve({ transferIdleMs: 150 }, tls);
    // More bytes than the operating system buffers for a connection that is not read.
    const large = stateText(1, { resources: [resource('t', 'n', [{ data: 'v'.repeat(48_000_000) }])] });
    const { upload, at } = await announced(large);
    const wire = await dial(await serve({}, tls));
    expect((await wire.ask(message('PUT', upload, OCTETS, large))).status).toBe(200);
    const { attributes } = (await at.current()).body.data;
    const reader = await dial(server);
    reader.socket.pause();
    await reader.write(message('GET', pathOf(attributes['hosted-state-download-url'])));
    await expect
      .poll(() => server.requests().filter(({ method }) => method === 'GET'), { timeout: 20_000 })
      .toHaveLength(1);
  }, 60_000);
});

describe('states over a slow line, HTTP/2', () => {
  const text = stateText(1);
  const open = async (limits: Partial<Limits>, path: string) => {
    const session = await dialHttp2(await serve(limits));
    onTestFinished(() => session.destroy());
    const stream = session.request({ ':method': 'PUT', ':path': path, 'content-type': 'application/octet-stream' });
    stream.on('error', () => {});
    return stream;
  };

  test('an upload may take longer than other requests, as long as something comes', async () => {
    const { upload, status } = await announced(text);
    const stream = await open({ requestMs: 100, transferIdleMs: 2_000 }, upload);
    for (let at = 0; at < text.length; at += 100) {
      stream.write(text.slice(at, at + 100));
      await pause(80);
    }
    stream.end();
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    expect(await status()).toBe('finalized');
  });

  test('an upload that stalls is aborted, and the version stays pending', async () => {
    const { upload, status } = await announced(text);
    const stream = await open({ requestMs: 60_000, transferIdleMs: 100 }, upload);
    stream.write(text.slice(0, 50));
    const [head] = await once(stream, 'response');
    expect(head[':status']).toBe(408);
    await once(stream.resume(), 'close');
    expect(await status()).toBe('pending');
  });
});
