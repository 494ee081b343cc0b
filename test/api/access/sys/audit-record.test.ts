import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

type Line = Record<string, unknown>;

describe.each(databaseKinds)('reading the audit log, on %s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-audit-'));
  const auditFile = join(folder, 'audit.log');
  const ca = createRoot();
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer(kind, { auditFile });
    await server.root('POST', '/v1/auth/cert/certs/web', {
      certificate: ca.pem,
      allowed_common_names: '*.example.com',
    });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const read = (query: Record<string, string | number> = {}) => {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]);
    return server.root('GET', `/v1/sys/audit-record?${new URLSearchParams(texts)}`);
  };
  const records = async (query: Record<string, string | number> = {}): Promise<Line[]> =>
    (await read(query)).body.data.records;
  const refusedLogin = () =>
    server.call('POST', '/v1/auth/cert/login', {
      certificate: ca.issue({ subject: 'web-1.example.org', dns: ['web-1.example.org'] }),
      body: { name: 'web' },
    });
  const tokenWith = async (policy: string): Promise<string> => {
    await server.root('PUT', '/v1/sys/policies/acl/reader', { policy });
    const { body } = await server.root('POST', '/v1/auth/token/create', { policies: ['reader'] });
    return body.auth.client_token;
  };

  it('starts with the newest entry, and names the file', async () => {
    const one = await server.root('GET', '/v1/sys/mounts');
    const { body } = await read({ limit: 2 });
    const requestId = one.headers['x-request-id'];
    expect(body.data).toMatchObject({
      records: [
        { type: 'response', request_id: requestId, path: '/v1/sys/mounts', status: 200 },
        { type: 'request', request_id: requestId },
      ],
      node: hostname(),
      compressed: [],
    });
    expect(Date.parse(body.data.looked_back_to)).toBe(Date.parse(body.data.records[1].time));
  });

  it('shows why a login was refused, found by path, class of status and half', async () => {
    const answer = await refusedLogin();
    const [newest] = await records({ path: '/v1/auth/cert/login', status: '4xx', service: 'access', type: 'response' });
    expect(newest).toMatchObject({
      request_id: answer.headers['x-request-id'],
      status: 400,
      verdicts: [
        { role: 'web', verdicts: expect.arrayContaining([expect.objectContaining({ expected: '*.example.com' })]) },
      ],
    });
    expect(await records({ path: '/v1/+/cert/log', status: '4xx' })).toMatchObject([{ status: 400 }]);
    expect(await records({ path: '/v1/+/login' })).toEqual([]);
    expect(await records({ path: '/v1/auth/cert/login', status: 200 })).toEqual([]);
    expect(await records({ service: 'workspaces', type: 'response', status: '4xx' })).toEqual([]);
  });

  it('finds callers by name, accessor, subject or serial number, in any case', async () => {
    const { headers } = await refusedLogin();
    const [line] = await records({ actor: 'cn=WEB-1.example.org' });
    expect(line).toMatchObject({ request_id: headers['x-request-id'] });
    expect(await records({ actor: 'nobody of that name' })).toEqual([]);
  });

  it('finds a text that is on record as a hash, and both lines of one request', async () => {
    const secret = 'a text that nobody else has sent';
    const answer = await server.root('PUT', '/v1/sys/policies/acl/hidden', { policy: `# ${secret}` });
    const { body } = await server.root('POST', '/v1/sys/audit-hash/file', { input: `# ${secret}` });
    const found = await records({ hash: body.data.hash });
    // The request for the hash contains the text too.
    expect(found).toMatchObject([
      { type: 'request', path: '/v1/sys/audit-hash/file' },
      { type: 'request', request_id: answer.headers['x-request-id'] },
    ]);
    const both = await records({ request_id: String(answer.headers['x-request-id']), limit: 2 });
    expect(both.map(({ type }) => type)).toEqual(['response', 'request']);
  });

  it('is audited itself, without the entries that it returned', async () => {
    const { headers } = await read({ limit: 50 });
    const both = await records({ request_id: String(headers['x-request-id']) });
    expect(both).toMatchObject([
      { type: 'response', path: '/v1/sys/audit-record', actor_name: 'root', status: 200 },
      { type: 'request' },
    ]);
    expect(JSON.stringify(both[0]).length).toBeLessThan(1_000);
  });

  it('continues after the previous page, and returns every entry once', async () => {
    // The requests of this test are audited too. `until` excludes those of the current millisecond.
    const until = new Date(Date.now() - 1).toISOString();
    const all = await records({ until, limit: 500 });
    const pages: Line[] = [];
    let after = '';
    do {
      const { body } = await read({ until, limit: 3, ...(after && { after }) });
      pages.push(...body.data.records);
      after = body.data.next ?? '';
    } while (after !== '');
    expect(pages).toEqual(all);
    expect(all.length).toBeGreaterThan(10);
  });

  it('continues in rotated files, and names compressed ones', async () => {
    const before = await server.root('GET', '/v1/sys/mounts');
    renameSync(auditFile, `${auditFile}.1`);
    writeFileSync(`${auditFile}.2.gz`, 'not looked into');
    onTestFinished(() => rmSync(`${auditFile}.2.gz`));
    server.application.reload();
    const after = await server.root('GET', '/v1/sys/policies/acl');
    const { body } = await read({ limit: 500 });
    const ids = body.data.records.map((line: Line) => line.request_id);
    expect(ids[0]).toBe(after.headers['x-request-id']);
    expect(ids).toContain(before.headers['x-request-id']);
    expect(body.data.compressed).toEqual(['audit.log.2.gz']);
  });

  it('finds a time window in a large file without reading all of it, and continues beyond the limit of one request', async () => {
    const file = `${auditFile}.3`;
    const line = (at: number) =>
      `${JSON.stringify({ time: new Date(at).toISOString(), type: 'response', path: '/v1/old', status: 200, fill: 'x'.repeat(2_000) })}\n`;
    const start = Date.parse('2020-01-01T00:00:00Z');
    for (let batch = 0; batch < 100; batch++) {
      appendFileSync(
        file,
        Array.from({ length: 100 }, (_, one) => line(start + (batch * 100 + one) * 60_000)).join(''),
      );
    }
    onTestFinished(() => rmSync(file));
    const since = new Date(start + 5_000 * 60_000).toISOString();
    const until = new Date(start + 5_009 * 60_000).toISOString();
    const window = (await read({ since, until })).body.data;
    expect(window.records).toHaveLength(10);
    expect(window.next).toBeNull();
    expect(window.looked_at).toBeLessThan(2_000_000);

    const first = (await read({ path: '/v1/nowhere' })).body.data;
    expect(first).toMatchObject({ records: [], next: expect.stringMatching(/^\d+\.\d+$/) });
    expect(first.looked_at).toBeLessThan(9_000_000);
    let [next, requests] = [first.next, 1];
    for (; next; requests++) next = (await read({ path: '/v1/nowhere', after: next })).body.data.next;
    expect(requests).toBeLessThan(6);
  });

  it('leaves out what pages of the console read, and nothing else', async () => {
    const file = `${auditFile}.4`;
    const time = '2021-01-01T00:00:00.000Z';
    const line = (more: object) => `${JSON.stringify({ time, type: 'response', status: 200, ...more })}\n`;
    const read = { actor_via: 'console', method: 'GET', path: '/v1/sys/mounts' };
    const kept = [
      { ...read, request_id: 'changes', method: 'POST' },
      { ...read, request_id: 'refused', status: 403 },
      { ...read, request_id: 'not of the console', actor_via: undefined },
    ];
    const left = [read, { ...read, method: 'POST', path: '/v1/sys/capabilities-self' }, { ...read, method: 'LIST' }];
    const unnamed = { method: 'GET', path: '/app/~session' };
    writeFileSync(file, [...kept, ...left, unnamed].map(line).join(''));
    onTestFinished(() => rmSync(file));
    const [since, until] = [time, time];
    const found = await records({ console_reads: 'false', since, until });
    expect(found.map((one) => one.request_id).sort()).toEqual(['changes', 'not of the console', 'refused']);
    expect(await records({ since, until })).toHaveLength(7);
    expect(await records({ console_reads: 'true', since, until })).toHaveLength(7);
  });

  it('skips lines that others wrote into the file', async () => {
    appendFileSync(auditFile, `no JSON\n[]\n${'x'.repeat(300_000)}\n\n\0\0\n`);
    const { status, headers } = await server.root('GET', '/v1/sys/mounts');
    expect(status).toBe(200);
    const found = await records({ limit: 500 });
    expect(found.map((line) => line.request_id)).toContain(headers['x-request-id']);
    expect(found.map((line) => line.path)).toContain('/v1/auth/cert/login');
  });

  it.each([
    [{ after: '1.1' }, 'this position no longer exists'],
    [{ after: 'x' }, 'this position no longer exists'],
    [{ after: `0.${'9'.repeat(15)}` }, 'this position no longer exists'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ status: '600' }, 'status'],
    [{ status: '4' }, 'status'],
    [{ since: 'yesterday' }, 'expected a time'],
    [{ sink: 'syslog' }, 'no sink'],
    [{ actor: 'x'.repeat(501) }, 'at most 500'],
  ])('refuses %j', async (query, message) => {
    const { status, body } = await read(query as Record<string, string | number>);
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(message)]);
  });

  it('treats a forged cursor as a position in the file', async () => {
    const { body } = await read({ limit: 3 });
    const [id, end] = body.data.next.split('.');
    const beyond = await read({ after: `${id}.${'9'.repeat(15)}` });
    expect(beyond.status).toBe(400);
    const within = await read({ limit: 1, after: `${id}.${Number(end) - 7}` });
    expect(within.status).toBe(200);
    expect(within.body.data.records).toHaveLength(1);
  });

  it('serves a few concurrent readers, and asks others to wait', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => read({ path: '/v1/nowhere' })));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect((await read({ limit: 1 })).status).toBe(200);
  });

  it('takes read and sudo on a path of its own', async () => {
    const get = async (policy: string) => {
      const token = await tokenWith(policy);
      return (await server.call('GET', '/v1/sys/audit-record', { token })).status;
    };
    expect(await get('path "sys/*" { capabilities = ["read"] }')).toBe(403);
    expect(await get('path "sys/audit" { capabilities = ["read", "sudo"] }')).toBe(403);
    expect(await get('path "sys/audit-record" { capabilities = ["read", "sudo"] }')).toBe(200);
    expect((await server.call('GET', '/v1/sys/audit-record')).status).toBe(403);
  });
});
