import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WrapFailure } from './key-wrapper.ts';
import { withRetries } from './retry.ts';
import { transitWrapper } from './transit.ts';

const KEY = new Uint8Array(32).fill(7);
const PLAIN = Buffer.from(KEY).toString('base64');
const soon = () => AbortSignal.timeout(5_000);

/** test/clients/vault tests an unmodified Vault; these tests simulate faults. */
describe('a faulty transit engine', () => {
  let asked: { path: string | undefined; headers: IncomingMessage['headers']; body: unknown }[] = [];
  let answer: (response: ServerResponse) => void = () => {};
  const server = createServer(async (request, response) => {
    asked.push({ path: request.url, headers: request.headers, body: await json(request) });
    answer(response);
  });
  const wrapper = (more = {}) =>
    transitWrapper({
      ...{ type: 'transit', address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      ...{ mount: 'teams/transit', key: 'a key', login: { token: { text: 'hvs.secret' } } },
      ...more,
    });
  const say = (status: number, body: object | string) => (response: ServerResponse) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const failure = async (): Promise<WrapFailure> => {
    const error = await wrapper()
      .unwrap('vault:v1:x', 'context', soon())
      .catch((caught: unknown) => caught);
    if (error instanceof WrapFailure) return error;
    throw error;
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('gets the documented request', async () => {
    asked = [];
    answer = say(200, { data: { ciphertext: 'vault:v1:abc' } });
    expect(await wrapper({ namespace: 'admin/eu' }).wrap(KEY, 'whose', soon())).toBe('vault:v1:abc');
    expect(asked).toEqual([
      {
        path: '/v1/teams/transit/encrypt/a%20key',
        headers: expect.objectContaining({
          ...{ 'x-vault-token': 'hvs.secret', 'x-vault-namespace': 'admin/eu', 'x-vault-request': 'true' },
          'content-type': 'application/json',
        }),
        body: { plaintext: PLAIN, context: Buffer.from('whose').toString('base64') },
      },
    ]);
    answer = say(200, { data: { plaintext: PLAIN } });
    expect(await wrapper({ login: undefined }).unwrap('vault:v1:abc', 'whose', soon())).toEqual(KEY);
    expect(asked[1]?.headers).not.toHaveProperty('x-vault-token');
  });

  it.each([
    [503, { sealed: true }, true, /is sealed, or cannot answer/],
    [500, '', true, /cannot answer \(status 500\)/],
    [429, {}, true, /status 429/],
    [307, {}, true, /redirects \(status 307\): use the URL of the active node/],
    [403, { errors: [PLAIN] }, false, /lacks update on teams\/transit\/decrypt\/a key$/],
    [404, {}, false, /there is no transit engine at teams\/transit, or no namespace/],
    [400, { errors: ['encryption key not found'] }, false, /there is no key a key$/],
    [400, { errors: [PLAIN] }, false, /another key has wrapped it, or it was changed$/],
    [418, PLAIN, false, /unexpected response for a transit engine \(status 418\)/],
    [200, PLAIN, false, /the response is not a key of 32 bytes/],
    [200, { data: { plaintext: 'AAAA' } }, false, /the response is not a key of 32 bytes/],
    [200, { data: { plaintext: [1] } }, false, /the response is not a key of 32 bytes/],
    [200, 'x'.repeat(70_000), true, /the response is longer than 65536 bytes/],
  ])('answers %i, which is reported without the response', async (status, body, isPassing, reason) => {
    answer = say(status, body);
    const told = await failure();
    expect([told.message, told.isPassing]).toEqual([expect.stringMatching(reason), isPassing]);
    expect(`${told.message} ${told.stack}`).not.toContain(PLAIN);
  });

  it('ends the connection', async () => {
    answer = (response) => response.destroy();
    expect(await failure()).toMatchObject({
      isPassing: true,
      message: 'the transit server cannot be reached: ECONNRESET',
    });
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    };
    expect(await failure()).toMatchObject({ isPassing: true });
  });

  it('is retried until it is back, and each failed attempt is reported', async () => {
    const told: string[] = [];
    answer = say(503, {});
    const note = ({ message }: WrapFailure) => {
      told.push(message);
      if (told.length === 2) answer = say(200, { data: { plaintext: PLAIN } });
    };
    const work = (signal: AbortSignal) => wrapper().unwrap('vault:v1:x', 'context', signal);
    expect(await withRetries(work, { waitSeconds: 30, note })).toEqual(KEY);
    expect(told).toEqual(Array(2).fill('the transit server is sealed, or cannot answer (status 503)'));
  });

  it('gets no invalid token, and the message does not contain it', async () => {
    asked = [];
    const broken = wrapper({ login: { token: { text: 'hvs.secret\nand more' } } });
    const told = await broken.unwrap('vault:v1:x', 'context', soon()).catch((error: unknown) => error);
    expect(told).toEqual(new WrapFailure('the configured token is invalid: it must be one line without spaces'));
    expect(asked).toEqual([]);
  });

  it('never answers', async () => {
    answer = () => {};
    const work = (signal: AbortSignal) => wrapper().unwrap('vault:v1:x', 'context', signal);
    await expect(withRetries(work, { waitSeconds: 1 })).rejects.toThrow(/no answer within \S+ s/);
    server.closeAllConnections();
  });
});
