import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, startFakeServer } from '../../../../../test/support/vcs/fake-server.ts';
import * as misbehaviour from '../../../../../test/support/vcs/misbehaviour.ts';
import { createTenantFetch } from '../../../../outbound/tenant-fetch.ts';
import type { ProviderHttp, ProviderRequest } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { ProviderClients } from './provider-clients.ts';

const TOKEN = 'secret-token-1';
let server: FakeServer;
let now: number;
let clients: ProviderClients;
let http: ProviderHttp;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  server = await startFakeServer({
    'GET /old': () => ({ status: 301, headers: { location: '/user' } }),
    'POST /old': () => ({ status: 307, headers: { location: '/things' } }),
    'GET /circle': () => ({ status: 302, headers: { location: '/circle' } }),
    'GET /user': ({ headers }) => ({ headers: { etag: '"1"' }, body: { authorization: headers.authorization } }),
    'POST /things': ({ body, headers }) => ({ status: 201, body: { body, type: headers['content-type'] } }),
    'DELETE /things': () => ({ status: 204 }),
    'GET /cached': ({ headers }) => ({
      status: headers['if-none-match'] === '"1"' ? 304 : 200,
      headers: { etag: '"1"' },
    }),
  });
  clients = new ProviderClients({ fetchFor: () => createTenantFetch(['127.0.0.1']), clock: () => now });
  http = clientOf('connection-1');
});

afterEach(() => server.stop());

function clientOf(id: string, writePauseMs = 0): ProviderHttp {
  return clients.clientOf({ id, apiUrl: server.address, httpUrl: server.address }, { writePauseMs });
}

function send(path: string, request: Partial<ProviderRequest> = {}, client = http) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  return client.send({ method: 'GET', url: server.address + path, headers, ...request });
}

async function failure(path: string, request: Partial<ProviderRequest> = {}, client = http): Promise<ProviderError> {
  const error = await send(path, request, client).catch((thrown: unknown) => thrown);
  if (error instanceof ProviderError) return error;
  throw new Error(`no ProviderError, but ${JSON.stringify(error)}`);
}

describe('the HTTP client of a connection', () => {
  it('sends JSON and forms, and reads JSON', async () => {
    expect((await send('/things', { method: 'POST', body: { a: 1 } })).json).toEqual({
      body: { a: 1 },
      type: 'application/json',
    });
    const form = await send('/things', { method: 'POST', form: { a: 'b c' } });
    expect(form.json).toEqual({ body: { a: 'b c' }, type: 'application/x-www-form-urlencoded' });
    expect(await send('/things', { method: 'DELETE' })).toMatchObject({ status: 204, json: undefined });
  });

  it('returns 304 and 404 as responses', async () => {
    expect((await send('/cached', { etag: '"1"' })).status).toBe(304);
    expect((await send('/cached', { etag: '"0"' })).status).toBe(200);
    expect((await send('/nowhere')).status).toBe(404);
  });

  it('refuses a URL on another server, before it sends the credential', async () => {
    expect((await failure('', { url: 'http://127.0.0.1:1/user' })).kind).toBe('invalid');
    expect((await failure('', { url: server.address.replace('//', '//user:word@') })).kind).toBe('invalid');
    expect(server.requests).toEqual([]);
  });

  it('follows redirects of reads and of writes on the same server', async () => {
    expect((await send('/old')).json).toEqual({ authorization: `Bearer ${TOKEN}` });
    expect((await send('/old', { method: 'POST', body: { a: 1 } })).json).toMatchObject({ body: { a: 1 } });
    expect((await failure('/circle')).message).toContain('more than 3 times');
  });

  it('does not follow a redirect to another server', async () => {
    const other = await startFakeServer({ 'GET /user': () => ({ body: {} }) });
    server.misbehave = misbehaviour.redirect(`${other.address}/user`, 301);
    expect(await failure('/user')).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('another server'),
    });
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it('refuses responses that are too large, no JSON, or web pages', async () => {
    for (const [behaviour, words] of [
      [misbehaviour.huge(3_000_000), 'more than'],
      [misbehaviour.huge(10_000_000), 'more than'],
      [misbehaviour.page(), 'a web page instead of JSON'],
      [
        misbehaviour.json(
          200,
          Array.from({ length: 60_000 }, () => 0),
        ),
        'not JSON',
      ],
    ] as const) {
      server.misbehave = behaviour;
      expect(await failure('/user')).toMatchObject({ kind: 'invalid', message: expect.stringContaining(words) });
    }
  });

  it.each([
    [400, 'rejected'],
    [401, 'refused'],
    [403, 'forbidden'],
    [409, 'rejected'],
    [422, 'rejected'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('gives the status %d the kind %s', async (status, kind) => {
    server.misbehave = misbehaviour.json(status, {
      message: 'Bad\u0000 \u202ething\n',
      errors: [{ message: 'detail' }],
    });
    const error = await failure('/user');
    expect(error).toMatchObject({ kind, retryAfterMs: undefined });
    expect(error.message).toMatch(
      new RegExp(`^127\\.0\\.0\\.1:\\d+ answered with status ${status}: Bad thing: detail$`),
    );
    server.misbehave = misbehaviour.page(status);
    expect(await failure('/user')).toMatchObject({ kind });
  });

  it('shortens the message of a provider, and drops one with the credential', async () => {
    server.misbehave = misbehaviour.json(422, { message: 'x'.repeat(10_000) });
    expect((await failure('/user')).message.length).toBeLessThan(300);
    server.misbehave = misbehaviour.json(422, { message: `Your token ${TOKEN} is bad` });
    expect((await failure('/user')).message).not.toContain(TOKEN);
    server.misbehave = misbehaviour.json(400, {
      error: 'invalid_client',
      error_description: 'no client of password-1',
    });
    expect((await failure('/user', { method: 'POST', form: { client_secret: 'password-1' } })).message).not.toContain(
      'password-1',
    );
  });

  it('reports a broken connection and a blocked network as unreachable', async () => {
    server.misbehave = misbehaviour.broken;
    expect(await failure('/user')).toMatchObject({ kind: 'unreachable', isTemporary: true });
    const guarded = new ProviderClients({ fetchFor: () => createTenantFetch([]), clock: () => now });
    const closed = guarded.clientOf({ id: 'c', apiUrl: server.address, httpUrl: server.address }, { writePauseMs: 0 });
    expect((await failure('/user', {}, closed)).message).toContain('vcs.allowed_addresses');
  });
});

describe('the rate limits of a connection', () => {
  const LIMITED = [
    ['429 with Retry-After', misbehaviour.json(429, {}, { 'retry-after': '7' }), 7_000],
    ['429 without a time', misbehaviour.json(429, {}), 60_000],
    ['403 with Retry-After', misbehaviour.json(403, {}, { 'retry-after': '7' }), 7_000],
    [
      '403 of a secondary limit',
      misbehaviour.json(403, { message: 'You have exceeded a secondary rate limit.' }),
      60_000,
    ],
    [
      '403 with no requests left',
      misbehaviour.json(
        403,
        {},
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) / 1000 + 90) },
      ),
      90_000,
    ],
    ['429 with a very long time', misbehaviour.json(429, {}, { 'retry-after': '99999999' }), 3_600_000],
  ] as const;

  it.each(LIMITED)('are kept after a %s', async (_name, behaviour, pause) => {
    server.misbehave = behaviour;
    expect(await failure('/user')).toMatchObject({ kind: 'limited', retryAfterMs: pause });
    server.misbehave = undefined;
    const sent = server.requests.length;
    now += pause - 1000;
    // Another client of the connection has the same budget.
    expect(await failure('/user', {}, clientOf('connection-1'))).toMatchObject({ kind: 'limited', retryAfterMs: 1000 });
    expect(server.requests.length).toBe(sent);
    expect((await send('/user', {}, clientOf('connection-2'))).status).toBe(200);
    now += 1000;
    expect((await send('/user')).status).toBe(200);
  });

  it('double the pause if the provider names none', async () => {
    server.misbehave = misbehaviour.json(429, {});
    for (const pause of [60_000, 120_000, 240_000]) {
      expect((await failure('/user')).retryAfterMs).toBe(pause);
      now += pause;
    }
  });

  it('stop requests after the response that used up the last one', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 30) };
    server.misbehave = misbehaviour.json(200, { login: 'ada' }, headers);
    expect((await send('/user')).json).toEqual({ login: 'ada' });
    expect(await failure('/user')).toMatchObject({ kind: 'limited', retryAfterMs: 30_000 });
  });

  it('let one write at a time through, where the provider demands it', async () => {
    let [open, mostOpen] = [0, 0];
    server.misbehave = (_request, response, next) => {
      mostOpen = Math.max(mostOpen, ++open);
      response.on('finish', () => open--);
      setTimeout(next, 20);
    };
    const paced = clientOf('connection-3', 1);
    const write = () => send('/things', { method: 'POST', body: {} }, paced);
    await Promise.all([write(), write(), write(), write()]);
    expect(mostOpen).toBe(1);
    mostOpen = 0;
    await Promise.all([send('/user', {}, paced), send('/user', {}, paced)]);
    expect(mostOpen).toBe(2);
  });
});
