import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { crlServer, HOUR, REFUSED, tampered } from './crl-server.ts';

/** A server that publishes one list. */
class DistributionPoint {
  readonly requests: IncomingMessage[] = [];
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  readonly #server: Server = createServer((request, response) => {
    this.requests.push(request);
    this.answer(request, response);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ca.crl`;
  }

  publish(list: Buffer | string, headers: Record<string, string> = {}): void {
    this.answer = ({ headers: { 'if-none-match': known } }, response) => {
      if (known !== undefined && known === headers.etag) response.writeHead(304).end();
      else response.writeHead(200, headers).end(list);
    };
  }

  stop(): void {
    this.#server.close();
  }
}

describe.each(databaseKinds)('CRLs from a URL, on %s', (kind) => {
  const { root, put, read, login, ca, client, anotherNode, advance, server } = crlServer(kind);
  let point: DistributionPoint;
  let url: string;
  const crls = async () => {
    const method = await server().application.access.certMethod('cert');
    if (!method) throw new Error('no method at cert');
    return method.crls;
  };
  const tick = async () => (await crls()).refresher.tick();
  const status = async (name = 'corp') => (await read(name)).body.data.status;

  beforeAll(async () => {
    point = new DistributionPoint();
    url = await point.start();
  });
  afterAll(() => point.stop());

  it('are fetched while they are written', async () => {
    const { der, pem } = ca.crl({ revoked: [client.serial] });
    for (const list of [der, pem]) {
      point.publish(list);
      expect((await put('corp', { url })).status).toBe(204);
      expect(await login(client)).toEqual(REFUSED);
      const { data } = (await read('corp')).body;
      expect(data.cdp).toEqual({ url, valid_until: data.next_update });
      expect(data.status.next_fetch).toEqual(expect.any(String));
      await root('DELETE', '/crls/corp');
    }
  });

  it('are decompressed when their server sends gzip without a request for it', async () => {
    const { der } = ca.crl({ revoked: [client.serial] });
    point.publish(gzipSync(der), { 'content-encoding': 'gzip' });
    expect((await put('corp', { url })).status).toBe(204);
    expect(point.requests.at(-1)?.headers['accept-encoding']).toBe('identity');
    expect(await login(client)).toEqual(REFUSED);
    await root('DELETE', '/crls/corp');
    for (const [body, encoding, text] of [
      [der, 'gzip', 'the content is not valid gzip, or is truncated'],
      [gzipSync(der).subarray(0, -20), 'x-gzip', 'or is truncated'],
      [brotliCompressSync(der), 'br', 'the content is encoded as "br"; only gzip is supported'],
    ] as const) {
      point.publish(body, { 'content-encoding': encoding });
      const { status: code, body: answer } = await put('corp', { url });
      expect([encoding, code, answer.errors[0]]).toEqual([encoding, 400, expect.stringContaining(text)]);
    }
    expect((await read('corp')).status).toBe(400);
  });

  it('are not stored when the server has none, or has something else', async () => {
    for (const [answer, text] of [
      [(response: ServerResponse) => response.writeHead(404).end(), 'status 404'],
      [(response: ServerResponse) => response.writeHead(304).end(), 'not modified'],
      [(response: ServerResponse) => response.end('<html>'), 'failed to parse CRL: '],
      [(response: ServerResponse) => response.writeHead(200, { 'content-length': 2 ** 31 }).write('x'), 'more than'],
    ] as const) {
      point.answer = (_, response) => answer(response);
      const { status: code, body } = await put('corp', { url });
      expect([code, body.errors[0]]).toEqual([400, expect.stringContaining(text)]);
    }
    expect((await read('corp')).status).toBe(400);
  });

  it('are fetched again before they are overdue, and only when there is something new', async () => {
    point.publish(ca.crl({ revoked: [1n] }).der, { etag: '"one"' });
    await put('corp', { url });
    point.requests.length = 0;
    await tick();
    expect(point.requests).toHaveLength(0);
    advance(3600);
    await tick();
    expect(point.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['"one"']);
    expect(await status()).toMatchObject({ age: 0, last_error: null });
    point.publish(ca.crl({ revoked: [client.serial], number: 2n }).der, { etag: '"two"' });
    expect(await login(client)).toEqual([200, undefined]);
    advance(3600);
    await tick();
    expect(await login(client)).toEqual(REFUSED);
    expect((await read('corp')).body.data.crl_number).toBe('2');
  });

  it('reach other nodes when those look', async () => {
    const other = await anotherNode();
    point.publish(ca.crl({ revoked: [1n], number: 1n }).der);
    await put('corp', { url });
    await other.refresher.tick();
    point.publish(ca.crl({ revoked: [2n, 3n], number: 2n }).der);
    advance(3600);
    point.requests.length = 0;
    await Promise.all([tick(), other.refresher.tick()]);
    expect(point.requests).toHaveLength(1);
    // One node fetches the CRL, and the other one finds it in the database.
    await Promise.all([tick(), other.refresher.tick()]);
    for (const node of [await crls(), other]) {
      expect(await node.service.metrics()).toMatchObject([{ name: 'corp', entries: 2, stale: false, failures: 0 }]);
    }
  });

  it('stay in use while the server fails, and the server gets fewer and fewer requests', async () => {
    point.publish(ca.crl({ revoked: [client.serial], number: 5n }).der);
    await put('corp', { url });
    const bad: [string, Buffer | string][] = [
      ['status 500', ''],
      ['failed to parse CRL', 'nothing'],
      ['unusable CRL: the signature', tampered(ca.crl({ number: 6n }).der)],
      ['not signed by a CA of any role', createRoot({ subject: 'Client CA' }).crl({ number: 6n }).der],
      ['another issuer', createRoot({ subject: 'Other CA' }).crl().der],
      ['is older', ca.crl({ thisUpdate: new Date(Date.now() - 5 * HOUR), number: 6n }).der],
      ['a lower number', ca.crl({ number: 4n }).der],
    ];
    advance(3600);
    for (const [index, [text, list]] of bad.entries()) {
      if (text === 'status 500') point.answer = (_, response) => response.writeHead(500).end();
      else point.publish(list);
      await tick();
      const found = await status();
      expect(found).toMatchObject({ last_error: expect.stringContaining(text), failures: index + 1 });
      const wait = Date.parse(found.next_fetch) - Date.parse(found.fetched_at) - found.age * 1000;
      // The wait doubles each time, up to one hour, minus a random part of up to a fifth. `age` is cut to whole
      // seconds.
      const longest = Math.min(2 ** index * 60_000, 3_600_000);
      expect(wait).toBeLessThanOrEqual(longest + 1_000);
      expect(wait).toBeGreaterThanOrEqual(longest * 0.8 - 1_000);
      advance(wait / 1000 - 1);
      point.requests.length = 0;
      await tick();
      expect(point.requests).toHaveLength(0);
      advance(2);
    }
    expect(await login(client)).toEqual(REFUSED);
    point.publish(ca.crl({ number: 6n }).der);
    await tick();
    expect(await status()).toMatchObject({ last_error: null, failures: 0 });
    expect(await login(client)).toEqual([200, undefined]);
  });

  it('of an issuer without a role are replaced only by CRLs signed with the same key', async () => {
    const stranger = createRoot({ subject: 'Stranger' });
    point.publish(stranger.crl({ revoked: [1n] }).der);
    await put('corp', { url });
    advance(3600);
    point.publish(createRoot({ subject: 'Stranger' }).crl({ number: 2n }).der);
    await tick();
    expect(await status()).toMatchObject({ last_error: expect.stringContaining('by another key') });
    advance(3600);
    point.publish(stranger.crl({ revoked: [2n], number: 2n }).der);
    await tick();
    expect((await read('corp')).body.data.serials).toEqual({ '2': {} });
  });

  it('do not replace a CRL that an administrator has written in the meantime', async () => {
    point.publish(ca.crl({ revoked: [1n] }).der);
    await put('corp', { url });
    advance(3600);
    const asked = new Promise<ServerResponse>((resolve) => {
      point.answer = (_, response) => resolve(response);
    });
    const working = tick();
    const response = await asked;
    await put('corp', { crl: ca.crl({ revoked: [3n] }).pem });
    response.end(ca.crl({ revoked: [2n], number: 2n }).der);
    await working;
    expect((await read('corp')).body.data).toMatchObject({ cdp: null, serials: { '3': {} } });
  });

  it('are not fetched again by a node that shuts down', async () => {
    const node = await anotherNode();
    point.publish(ca.crl().der);
    await put('corp', { url });
    advance(3600);
    point.requests.length = 0;
    const asked = new Promise<void>((resolve) => {
      point.answer = () => resolve();
    });
    const working = node.refresher.tick();
    await asked;
    await node.refresher.stop();
    await working;
    expect(await status()).toMatchObject({ failures: 0 });
  });
});
