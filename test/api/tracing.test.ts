import { afterEach, describe, expect, it } from 'vitest';
import { otlpCollector } from '../support/collectors/otlp-collector.ts';
import { databaseKinds } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
/** Each test starts a server with settings of its own. */
const SLOW = { timeout: 90_000 };
const PARENT = '00f067aa0ba902b7';

describe.each(databaseKinds)('traces, on %s', SLOW, (kind) => {
  let server: TestServer;
  afterEach(() => server.stop());

  const start = async (endpoint: string, sampleRatio = 1, token?: string) => {
    const tracing = { endpoint, sampleRatio, tokenHeader: 'Authorization', ...(token && { token: { text: token } }) };
    server = await startTestServer(kind, { tracing });
  };
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    call(server, method, path, { headers, token: server.userToken, ...(body !== undefined && { body }) });
  const ORGANIZATION = { data: { type: 'organizations', attributes: { name: 'acme', email: 'hidden@example.com' } } };

  it('contain a span for each request and its database statements, in the trace of the caller', async () => {
    const collector = await otlpCollector();
    await start(collector.endpoint, 0, 'collector-secret');
    const made = await ask('POST', '/api/v2/organizations', { traceparent: `00-${TRACE}-${PARENT}-01` }, ORGANIZATION);
    expect(made.status).toBe(201);
    await expect.poll(() => collector.spans().length).toBeGreaterThan(1);
    const root = collector.spans().find(({ kind: of }) => of === 2);
    expect(root).toMatchObject({
      service: 'lockkeeper',
      traceId: TRACE,
      parentSpanId: PARENT,
      name: 'POST /api/v2/organizations',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v2/organizations',
        'http.response.status_code': 201,
        'lockkeeper.service': 'workspaces',
        'lockkeeper.request_id': made.headers['x-request-id'],
      },
      isError: false,
    });
    const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    // The body arrives in between: later work still belongs to the trace of the request.
    expect(below.map(({ name }) => name)).toContain('transaction');
    for (const span of below) {
      expect(span).toMatchObject({ traceId: TRACE, kind: 3 });
      expect(span.attributes['db.system.name']).toBe(kind === 'sqlite' ? 'sqlite' : 'postgresql');
    }
    expect(collector.headers().authorization).toBe('Bearer collector-secret');
    const entry = server.logLines().find(({ request_id: id }) => id === made.headers['x-request-id']);
    expect(entry?.trace_id).toBe(TRACE);
    const recorded = server.auditLines().filter(({ request_id: id }) => id === made.headers['x-request-id']);
    expect(recorded.map(({ trace_id: id }) => id)).toEqual([TRACE, TRACE]);
  });

  it('hold nothing secret: patterns of paths, and no values', async () => {
    const collector = await otlpCollector();
    await start(collector.endpoint);
    await server.root('GET', `/v1/auth/token/lookup/${server.rootToken}`);
    await ask('GET', '/api/v2/organizations/hidden-name?q=hidden-query');
    await ask('POST', '/api/v2/organizations', {}, ORGANIZATION);
    await expect.poll(() => collector.spans().filter(({ kind: of }) => of === 2)).toHaveLength(3);
    for (const secret of [server.rootToken, server.userToken, 'hidden']) expect(collector.text()).not.toContain(secret);
  });

  it('are sampled by the configured rate and by the client', async () => {
    const collector = await otlpCollector();
    await start(collector.endpoint, 0);
    const before = await ask('GET', '/api/v2/account/details');
    await ask('GET', '/api/v2/account/details', { traceparent: `00-${TRACE}-${PARENT}-00` });
    for (const bad of ['nonsense', `00-${'0'.repeat(32)}-${PARENT}-01`, `ff-${TRACE}-${PARENT}-01`]) {
      expect((await ask('GET', '/api/v2/account/details', { traceparent: bad })).status).toBe(200);
    }
    await ask('GET', '/api/v2/account/details', { traceparent: `00-${TRACE}-${PARENT}-01` });
    await expect.poll(() => collector.spans().filter(({ kind: of }) => of === 2)).toHaveLength(1);
    expect(collector.spans()[0]?.traceId).toBe(TRACE);
    const entry = server.logLines().find(({ request_id: id }) => id === before.headers['x-request-id']);
    expect(entry).not.toHaveProperty('trace_id');
  });

  it.each([
    ['is away', undefined],
    ['answers 500', () => 500],
    ['hangs', () => undefined],
  ])('cost nothing but spans while their collector %s', async (_what, answer) => {
    const collector = await otlpCollector(answer);
    if (answer === undefined) await collector.stop();
    await start(collector.endpoint);
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('GET', '/api/v2/account/details')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const failed = async () => (await server.call('GET', '/metrics')).text;
    await expect.poll(failed, { timeout: 20_000 }).toMatch(/trace_spans_total\{outcome="failed"\} [1-9]/);
    expect(server.logLines().filter(({ msg }) => `${msg}`.startsWith('traces cannot be exported'))).toHaveLength(1);
  });
});
