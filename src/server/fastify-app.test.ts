import { describe, expect, onTestFinished, test } from 'vitest';
import {
  ask2,
  dial,
  dialHttp2,
  echoService,
  type Listening,
  listening,
  message,
  type Reply,
} from '../../test/support/listening.ts';

interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
type Ask = (question: Question) => Promise<Reply>;

async function http1(server: Listening): Promise<Ask> {
  const wire = await dial(server);
  onTestFinished(() => void wire.socket.destroy());
  return ({ method = 'GET', path, headers = {}, body }) => wire.ask(message(method, path, headers, body));
}

async function http2(server: Listening): Promise<Ask> {
  const session = await dialHttp2(server);
  onTestFinished(() => session.destroy());
  return ({ method = 'GET', path, headers, body }) =>
    ask2(session, { ':method': method, ':path': path, ...headers }, body);
}

const json = { 'content-type': 'application/json' };
const checked = (body: string): Question => ({ method: 'POST', path: '/echo/checked', headers: json, body });

describe.each([
  ['1.1', http1],
  ['2.0', http2],
])('over HTTP/%s', (version, dialer) => {
  async function start(): Promise<{ ask: Ask; server: Listening }> {
    const server = await listening();
    onTestFinished(() => server.server.close(0));
    return { ask: await dialer(server), server };
  }

  test('a request reaches its handler, and its answer the client', async () => {
    const { ask } = await start();
    const path = '/echo/said/word?page[number]=2&page%5Bsize%5D=3&q=a&q=b';
    const { status, headers, body } = await ask({ method: 'POST', path, headers: json, body: '{"a":[1,2]}' });
    expect(status).toBe(200);
    expect(body).toEqual({
      method: 'POST',
      url: path,
      query: { 'page[number]': '2', 'page[size]': '3', q: ['a', 'b'] },
      body: { a: [1, 2] },
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    });
  });

  test('every answer has an identifier of its own, whatever the client sends', async () => {
    const { ask, server } = await start();
    const chosen = { 'x-request-id': 'mine', 'request-id': 'mine' };
    const paths = [
      '/echo/said/x',
      '/echo/said/x',
      '/echo/nothing',
      '/nowhere',
      '/echo/%zz',
      '/echo/bug',
      '/healthz/live',
    ];
    const ids: unknown[] = [];
    for (const path of paths) ids.push((await ask({ path, headers: chosen })).headers['x-request-id']);
    expect(new Set(ids).size).toBe(paths.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await expect.poll(() => server.requests().map((line) => line.request_id)).toEqual(ids);
  });

  test.each([
    ['bad-request', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['method-not-allowed', 405],
    ['conflict', 409],
    ['too-large', 413],
    ['unsupported-media-type', 415],
    ['unprocessable', 400],
    ['too-many-requests', 429],
    ['unavailable', 503],
  ])('an error of the kind %s is answered %i, in the shape of its API', async (kind, status) => {
    const { ask, server } = await start();
    const reply = await ask({ path: `/echo/fails/${kind}` });
    expect(reply.status).toBe(status);
    const requestId = reply.headers['x-request-id'];
    expect(reply.body).toEqual({ status, kind, message: 'as you wish', issues: [], requestId });
    await expect
      .poll(() => server.requests()[0])
      .toMatchObject({
        status,
        error_kind: kind,
        why: 'asked for',
        level: status === 503 ? 40 : 30,
      });
  });

  test('a bug is answered 500 without details, and logged with them', async () => {
    const { ask, server } = await start();
    const { status, text, headers } = await ask({ path: '/echo/bug' });
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    await expect.poll(() => server.requests()).toHaveLength(1);
    const [bug, line] = server.lines();
    expect(bug).toMatchObject({ level: 50, request_id: headers['x-request-id'] });
    expect(JSON.stringify(bug)).toContain('hunter2');
    expect(JSON.stringify(bug)).toContain('listening.ts');
    expect(line).toMatchObject({ level: 40, status: 500 });
  });

  test('a path without a route gets a 404 in the format of its API, or a plain one elsewhere', async () => {
    const { ask } = await start();
    for (const path of ['/echo', '/echo/', '/echo/nothing', '/echo/said', '/echo?x=1']) {
      expect(await ask({ path })).toMatchObject({ status: 404, body: { message: 'nothing echoes here' } });
    }
    for (const path of ['/', '/echoes', '/v1/sys/health']) {
      expect(await ask({ path })).toMatchObject({ status: 404, body: { errors: ['no such path'] } });
    }
    expect(await ask({ path: '/echo/said/x', method: 'PATCH' })).toMatchObject({ status: 404 });
    expect(await ask({ path: '/echo/nothing', method: 'LIST' })).toMatchObject({ status: 404 });
  });

  test('a path that is none is refused in the shape of its API, without an echo', async () => {
    const { ask } = await start();
    const bad = await ask({ path: '/echo/said/%zz<script>' });
    expect(bad).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
    expect(bad.text).not.toContain('script');
    const long = await ask({ path: `/echo/said/${'x'.repeat(1_025)}` });
    expect(long).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
    expect(await ask({ path: `/echo/said/${'x'.repeat(1_024)}` })).toMatchObject({ status: 200 });
    expect(await ask({ path: '/nowhere/%zz' })).toMatchObject({ status: 400, body: { errors: [expect.any(String)] } });
  });

  test('a body that is no JSON is refused without an echo, and the connection stays open', async () => {
    const { ask } = await start();
    for (const body of ['{"secret":', '{"__proto__":1}', '['.repeat(40), '[1,2'.repeat(10_000)]) {
      const reply = await ask({ method: 'POST', path: '/echo/said/x', headers: json, body });
      expect(reply).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
      expect(reply.text).not.toContain('secret');
    }
    expect(await ask({ path: '/echo/said/x' })).toMatchObject({ status: 200 });
  });

  test('a body of another kind is refused', async () => {
    const { ask } = await start();
    for (const type of ['text/plain', 'application/xml', 'nonsense', 'application/json, text/plain']) {
      const reply = await ask({ method: 'POST', path: '/echo/said/x', headers: { 'content-type': type }, body: '1' });
      expect([type, reply.status, reply.body.kind]).toEqual([type, 415, 'unsupported-media-type']);
    }
  });

  test('a body that breaks its schema gets an error with the place, and a valid body is not changed', async () => {
    const { ask } = await start();
    const refused = await ask(checked('{"port":"443","a/b":1}'));
    expect(refused).toMatchObject({ status: 400, body: { kind: 'unprocessable' } });
    expect(refused.body.issues).toEqual([
      { detail: 'is required', pointer: '/name' },
      { detail: 'is not known', pointer: '/a~1b' },
      { detail: 'must be integer', pointer: '/port' },
    ]);
    expect((await ask(checked('{"name":"x"}'))).body).toEqual({ name: 'x' });
    expect((await ask({ method: 'POST', path: '/echo/checked' })).body.message).toBe('the request body must be object');
  });

  test('a query that breaks its schema is a bad request about a parameter', async () => {
    const { ask } = await start();
    const reply = await ask({ ...checked('{"name":"x"}'), path: '/echo/checked?page[size]=100' });
    expect(reply).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
    expect(reply.body.issues).toEqual([{ detail: 'must NOT have more than 2 characters', parameter: 'page[size]' }]);
  });

  test('a GET may carry a body, which is not looked at', async () => {
    const { ask } = await start();
    expect(await ask({ path: '/echo/said/x', headers: json, body: '{"name":' })).toMatchObject({ status: 200 });
    expect(await ask({ path: '/echo/said/x' })).toMatchObject({ status: 200 });
  });

  test('an expectation that nobody knows is not met, and the request answered', async () => {
    const { ask } = await start();
    expect(await ask({ path: '/echo/said/x', headers: { expect: 'miracles' } })).toMatchObject({ status: 200 });
  });

  test('each request is one line in the log', async () => {
    const { ask, server } = await start();
    await ask({ path: '/echo/held?token=secret' });
    await ask({ path: '/echo/nothing' });
    await ask({ path: '/nowhere' });
    await expect.poll(() => server.lines()).toHaveLength(3);
    const [held, nothing, nowhere] = server.lines();
    expect(held).toEqual({
      level: 30,
      time: expect.any(Number),
      pid: expect.any(Number),
      hostname: expect.any(String),
      msg: 'request',
      request_id: expect.any(String),
      listener: 'main',
      service: 'echo',
      method: 'GET',
      route: '/echo/held',
      status: 200,
      duration_ms: expect.any(Number),
      remote_address: '127.0.0.1',
      http_version: version,
      bytes: '{"held":true}'.length,
      actor: 'holder',
    });
    expect(nothing).toMatchObject({ service: 'echo', status: 404 });
    expect(nothing).not.toHaveProperty('route');
    expect(nowhere).toMatchObject({ service: 'none', status: 404 });
  });
});

test('a method that nobody knows is refused in the shape of its API', async () => {
  const server = await listening();
  onTestFinished(() => server.server.close(0));
  const ask = await http2(server);
  expect(await ask({ method: 'BREW', path: '/echo/said/x' })).toMatchObject({
    status: 405,
    body: { kind: 'method-not-allowed' },
  });
  expect(await ask({ method: 'BREW', path: '/' })).toMatchObject({
    status: 405,
    body: { errors: [expect.any(String)] },
  });
  await expect.poll(() => server.lines()).toHaveLength(2);
});

test('a client that goes away with requests in line is one line for each that was begun', async () => {
  const gate = Promise.withResolvers<void>();
  const server = await listening({ services: [echoService(gate.promise)] });
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  const posted = message('POST', '/echo/said/x', json, '{}');
  await wire.write(message('GET', '/echo/held') + message('GET', '/echo/said/x') + posted);
  await expect.poll(() => server.metrics.page()).toContain('http_requests_in_flight{listener="main"} 1');
  wire.socket.destroy();
  await wire.closed;
  gate.resolve();
  await expect.poll(() => server.metrics.page()).toContain('http_requests_in_flight{listener="main"} 0');
  expect(server.lines()[0]).toMatchObject({ route: '/echo/held' });
});

test('a client that goes away in the middle of its body is no bug of ours', async () => {
  const server = await listening();
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  await wire.write(message('POST', '/echo/said/x', { ...json, 'Content-Length': '9' }));
  const session = await dialHttp2(server);
  const stream = session.request({ ':method': 'POST', ':path': '/echo/said/x', ...json });
  stream.on('error', () => {}).write('"');
  await expect.poll(() => server.metrics.page()).toContain('http_requests_in_flight{listener="main"} 2');
  wire.socket.destroy();
  session.destroy();
  await expect.poll(() => server.requests()).toHaveLength(2);
  expect(server.lines().map((line) => line.level)).toEqual([30, 30]);
});

test('a client that goes away before its answer is one line in the log', async () => {
  const gate = Promise.withResolvers<void>();
  const server = await listening({ services: [echoService(gate.promise)] });
  onTestFinished(() => server.server.close(0));
  const wire = await dial(server);
  await wire.write(message('GET', '/echo/held'));
  const session = await dialHttp2(server);
  session.request({ ':path': '/echo/held' }).on('error', () => {});
  await expect.poll(() => server.metrics.page()).toContain('http_requests_in_flight{listener="main"} 2');
  wire.socket.destroy();
  session.destroy();
  await expect.poll(() => server.lines().map((line) => line.status)).toEqual([499, 499]);
  gate.resolve();
});
