import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

type Point = Record<string, number> & { readonly access: { readonly requests: number; readonly p95_ms: number } };

describe.each(databaseKinds)('figures of the last hours, on %s', (kind) => {
  const ca = createRoot();
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: ca.pem,
      allowed_common_names: '*.example.com',
    });
  });
  afterAll(() => server.stop());

  const figures = async (query = '') => (await server.root('GET', `/v1/sys/figures${query}`)).body.data;
  const sum = (points: readonly Point[], name: string) => points.reduce((all, point) => all + (point[name] ?? 0), 0);
  const login = (subject: string) =>
    server.call('POST', '/v1/auth/cert/login', { certificate: ca.issue({ subject, dns: [subject] }), body: {} });

  it('show logins and refusals, and the number and duration of requests', async () => {
    const before = await figures();
    await login('web-1.example.com');
    await login('web-1.example.org');
    await login('web-2.example.org');
    const { points, interval } = await figures();
    expect(interval).toBe(60);
    expect(sum(points, 'logins') - sum(before.points, 'logins')).toBe(1);
    expect(sum(points, 'refused_logins') - sum(before.points, 'refused_logins')).toBe(2);
    const last = points.findLast(({ access }: Point) => access.requests > 0);
    expect(last.access.p95_ms).toBeGreaterThan(0);
    expect(Math.max(...points.map((point: Point) => point.connections))).toBeGreaterThan(0);
  });

  it('show how large the database is, soon after the start', async () => {
    await expect
      .poll(async () => (await figures()).points.some(({ database_bytes: bytes }: Point) => (bytes ?? 0) > 4096))
      .toBe(true);
  });

  it('are returned in points of the requested length', async () => {
    expect((await figures('?step=60')).points.length).toBeLessThanOrEqual(2);
    const { status, body } = await server.root('GET', '/v1/sys/figures?step=7');
    expect([status, body.errors]).toEqual([400, ['step: expected one of 1, 5, 15, 60']]);
  });

  it('need a policy for the path', async () => {
    expect((await server.call('GET', '/v1/sys/figures')).status).toBe(403);
    await server.root('PUT', '/v1/sys/policies/acl/watch', {
      policy: 'path "sys/figures" { capabilities = ["read"] }',
    });
    const tokenWith = async (policies: string[]) =>
      (await server.root('POST', '/v1/auth/token/create', { policies })).body.auth.client_token;
    const get = async (token: string) => (await server.call('GET', '/v1/sys/figures', { token })).status;
    expect(await get(await tokenWith(['default']))).toBe(403);
    expect(await get(await tokenWith(['watch']))).toBe(200);
  });
});
