import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { END_STREAM, FrameClient } from '../support/http2/frames.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { declaredOperations, METHODS, pathOf } from './support/operations.ts';

/** Larger than the server reads of a body after a refusal, and larger than the maximum body. */
const LARGE = Buffer.alloc(1_300_000, 'x');
const COMPLETE = /^HEADERS,(DATA,)*DATA\+END_STREAM$|^HEADERS\+END_STREAM$/;
/** RFC 9113 §8.1: NO_ERROR, after the end of the response. */
const MAY_BE_STOPPED = /^(HEADERS,(DATA,)*DATA\+END_STREAM|HEADERS\+END_STREAM)(,RST_STREAM\(0\))?$/;
const ELSEWHERE = [
  ...['POST /', 'POST /nothing', 'PUT /healthz/live', 'POST /metrics', 'POST /oauth2/token', 'BREW /v1/sys/health'],
  ...['POST /app/~session', 'DELETE /app/~session', 'POST /app/~session/oidc/logout', 'POST /app/some/page'],
  ...['POST /v1/nothing', 'PUT /api/v2/nothing', 'POST /.well-known/terraform.json'],
];

/**
 * Every request with a possible body, of both APIs, the console and the other listeners: `POST
 * /v1/sys/policies/acl/web`.
 */
async function requestsWithBody(server: TestServer): Promise<string[]> {
  const access = declaredOperations(server)
    .filter(({ operation }) => operation.verb !== 'read' && operation.verb !== 'list')
    .map((one) => `${METHODS[one.operation.verb]} /v1/${pathOf(one, false)}`);
  const { paths } = (await server.call('GET', '/api/v2/openapi.json')).body;
  const workspaces = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(post|put|patch|delete)$/.test(method))
      .map(
        (method) => `${method.toUpperCase()} /api/v2${path.replace(/^\/api\/v2/, '').replace(/\{\w+\}/g, 'nothing')}`,
      ),
  );
  return [...new Set([...access, ...workspaces, ...ELSEWHERE])];
}

async function connect({ address, ca }: TestServer): Promise<FrameClient> {
  const client = await FrameClient.connect({ port: Number(new URL(address).port), ca });
  onTestFinished(() => client.close());
  return client;
}

describe('a request over HTTP/2 that is refused before its body is read', { timeout: 120_000 }, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer('sqlite');
  });
  afterAll(() => server.stop());

  /** Callers and their credentials. */
  const CALLERS: Readonly<Record<string, (path: string) => Record<string, string>>> = {
    'without a token': () => ({ 'content-type': 'application/vnd.api+json' }),
    'with a content type that nothing takes': (path) => ({
      'content-type': 'text/xml',
      authorization: `Bearer ${path.startsWith('/v1') ? server.rootToken : server.userToken}`,
    }),
  };

  it.each(Object.keys(CALLERS))('gets a complete response on every route, %s', async (caller) => {
    const asked = await requestsWithBody(server);
    expect(asked.length).toBeGreaterThan(200);
    const client = await connect(server);
    const statuses = new Set<number>();
    for (const one of asked) {
      const [method = '', path = ''] = one.split(' ');
      const headers = CALLERS[caller]?.(path) ?? {};
      const large = client.request(method, path, headers);
      await client.data(large, LARGE, END_STREAM);
      const small = client.request(method, path, headers);
      await client.data(small, Buffer.from('{'));
      await client.data(small, Buffer.from('}'), END_STREAM);
      await client.until(() => client.isAnswered(large) && client.isAnswered(small));
      expect([one, client.answer(large).frames.join()]).toEqual([one, expect.stringMatching(MAY_BE_STOPPED)]);
      expect([one, client.answer(small).frames.join()]).toEqual([one, expect.stringMatching(COMPLETE)]);
      statuses.add(client.answer(large).status).add(client.answer(small).status);
    }
    expect([...statuses].sort()).toEqual(
      expect.arrayContaining(caller.startsWith('without') ? [401, 403, 404, 405] : [404, 405, 415]),
    );
  });

  it('gets a complete response when there are too many requests', async () => {
    const limited: TestServerOptions = { rateLimits: { access: 1, workspaces: 1 } };
    const pressed = await startTestServer('sqlite', limited);
    onTestFinished(() => pressed.stop());
    const client = await connect(pressed);
    for (const path of ['/v1/sys/policies/acl/x', '/api/v2/organizations']) {
      const streams = Array.from({ length: 30 }, () =>
        client.request('POST', path, { authorization: 'Bearer lks.x.y' }),
      );
      for (const stream of streams) await client.data(stream, LARGE.subarray(0, 1_000), END_STREAM);
      await client.until(() => streams.every((stream) => client.isAnswered(stream)));
      const answers = streams.map((stream) => client.answer(stream));
      expect(answers.map(({ status }) => status)).toContain(429);
      for (const { frames } of answers) expect(frames.join()).toMatch(COMPLETE);
    }
  });
});
