import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { httpCollector } from '../support/collectors/audit-collectors.ts';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Each test starts a server with sinks of its own. */
const SLOW = { timeout: 90_000 };
const POLICY = { policy: 'path "x" { capabilities = ["read"] }' };

describe.each(databaseKinds)('an audit log that is sent to a collector, on %s', SLOW, (kind) => {
  let server: TestServer;
  afterEach(() => server.stop());

  const start = async (url: string, mostBytes: number) => {
    const sinks = (folder: string) => [
      {
        type: 'http' as const,
        ...{ url, tokenHeader: 'X-Token', gzip: false },
        collected: { directory: join(folder, 'waiting'), mostBytes, token: { text: 'collector-secret' } },
      },
    ];
    server = await startTestServer(kind, { auditSinks: sinks });
  };
  const write = (name: string) => server.root('POST', `/v1/sys/policies/acl/${name}`, POLICY);
  const ready = async () => {
    const { status, body } = await server.call('GET', '/healthz/ready');
    return [status, body.checks.find(({ name }: { name: string }) => name === 'audit')];
  };

  it('arrives, without secrets in it or in logs about it', async () => {
    const collector = await httpCollector();
    await start(collector.url, 1_048_576);
    expect((await write('one')).status).toBe(204);
    await expect.poll(() => collector.lines().length).toBeGreaterThanOrEqual(2);
    expect(collector.deliveries[0]?.headers['x-token']).toBe('collector-secret');
    expect(collector.lines().join('')).not.toContain(server.rootToken);
    const page = async () => (await server.call('GET', '/metrics')).text;
    await expect.poll(page).toMatch(/audit_deliveries_total\{sink="http",outcome="delivered"\} [1-9]/);
    const text = await page();
    expect(text).toMatch(/audit_free_bytes\{sink="http"\} [1-9]/);
    expect(text + JSON.stringify(server.logLines())).not.toContain('collector-secret');
  });

  it('waits while its collector takes nothing; when the buffer is full requests are refused, and then go on', async () => {
    let status = 500;
    const collector = await httpCollector(() => status);
    await start(collector.url, 20_000);
    expect((await write('one')).status).toBe(204);
    await expect
      .poll(ready)
      .toEqual([200, { name: 'audit', ok: true, reason: 'http: not delivered, answered with 500' }]);
    expect(server.logLines().filter(({ reason }) => reason === 'answered with 500')).toHaveLength(1);
    let answer = await write('two');
    for (let i = 0; answer.status === 204; i++) answer = await write(`more-${i}`);
    expect([answer.status, answer.body.errors[0]]).toEqual([
      503,
      expect.stringContaining('the audit log cannot be written'),
    ]);
    expect((await server.call('GET', '/metrics')).text).toMatch(/audit_buffer_age_seconds\{sink="http"\} 0?\.?[0-9]/);
    status = 200;
    await expect.poll(async () => (await write('again')).status, { timeout: 15_000 }).toBe(204);
    await expect.poll(async () => (await ready())[0]).toBe(200);
  });

  it('that contains an entry which its collector refuses reports it, and continues once the entry is accepted', async () => {
    let isRefusing = true;
    const collector = await httpCollector(({ text }) => (isRefusing && text.includes('acl/refused') ? 400 : 200));
    await start(`${collector.url}/${'c0ffee'.repeat(4)}`, 1_048_576);
    for (const name of ['one', 'refused', 'two']) expect((await write(name)).status).toBe(204);
    const page = async () => (await server.call('GET', '/metrics')).text;
    await expect.poll(page, { timeout: 15_000 }).toContain('audit_buffer_line_refused{sink="http"} 1');
    const reason = 'http: not delivered, answered with 400 to a single line';
    await expect.poll(ready, { timeout: 5_000 }).toEqual([200, { name: 'audit', ok: true, reason }]);
    const [told] = server.logLines().filter(({ msg }) => `${msg}`.startsWith('the collector rejects an audit entry'));
    const { file, offset, waiting_lines } = told as { file: string; offset: number; waiting_lines: number };
    const waiting = readFileSync(file).subarray(offset).toString();
    expect(waiting).toMatch(/^\{"time":.*acl\/refused.*\n/);
    expect(waiting_lines).toBeGreaterThanOrEqual(2);
    expect(waiting_lines).toBeLessThan(waiting.split('\n').length);
    expect(collector.lines().join('')).toContain('acl/one');
    expect(collector.lines().join('')).not.toContain('acl/two');
    isRefusing = false;
    await expect.poll(() => collector.lines().join(''), { timeout: 15_000 }).toContain('acl/two');
    await expect.poll(page).toContain('audit_buffer_line_refused{sink="http"} 0');
    // Some collectors identify their senders by the path of the URL.
    expect((await page()) + JSON.stringify(server.logLines())).not.toContain('c0ffee');
  });

  it('beside a file that is removed: a new one is created', async () => {
    server = await startTestServer(kind);
    await write('one');
    const file = join(server.folder, 'audit.log');
    rmSync(file);
    const noticed = () => server.logLines().filter(({ msg }) => `${msg}`.startsWith('the audit file was removed'));
    await expect.poll(async () => (await write('two')) && noticed().length).toBe(1);
    expect(server.auditLines().length).toBeGreaterThan(1);
    expect((await server.call('GET', '/metrics')).text).toContain('audit_files_lost_total{sink="file"} 1');
  });
});
