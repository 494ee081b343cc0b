import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { version } from '../../../../src/version.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const COMPATIBLE = `1.16.0+lockkeeper.${version}`;

describe.each(databaseKinds)('the server itself, on %s', (kind) => {
  let server: TestServer;
  const get = (path: string) => server.call('GET', `/v1/sys/${path}`);

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  it('reports its health, without an envelope', async () => {
    const { status, body } = await get('health');
    expect(status).toBe(200);
    expect(body).toEqual({
      initialized: true,
      sealed: false,
      standby: false,
      performance_standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: expect.any(Number),
      version: COMPATIBLE,
      enterprise: false,
      cluster_name: 'lockkeeper',
      cluster_id: expect.stringMatching(/^[\da-f-]{36}$/),
      echo_duration_ms: 0,
      clock_skew_ms: 0,
    });
    expect(body.server_time_utc).toBe(Math.floor(server.now() / 1000));
  });

  it('reports it with the status that the caller chose', async () => {
    const everything = 'standbycode=299&sealedcode=299&uninitcode=299&drsecondarycode=299&performancestandbycode=299';
    expect((await get(`health?${everything}`)).status).toBe(200);
    const other = await get(`health?${everything}&activecode=299`);
    expect([other.status, other.body.initialized]).toEqual([299, true]);
    for (const code of [204, 304])
      expect(await get(`health?activecode=${code}`)).toMatchObject({ status: code, text: '' });
    for (const code of ['', 'x', '100', '1000']) {
      const refused = await get(`health?activecode=${code}`);
      expect([refused.status, refused.body.errors.length]).toEqual([400, 1]);
    }
  });

  it('returns only the status for HEAD', async () => {
    expect(await server.call('HEAD', '/v1/sys/health')).toMatchObject({ status: 200, text: '' });
    expect(await server.call('HEAD', '/v1/sys/health?activecode=298')).toMatchObject({ status: 298, text: '' });
  });

  it('ignores a token, valid or not', async () => {
    for (const token of [server.rootToken, 'lks.x']) {
      expect((await server.call('GET', '/v1/sys/health', { token })).status).toBe(200);
    }
  });

  it('is unsealed, and has no key shares', async () => {
    const { status, body } = await get('seal-status');
    expect(status).toBe(200);
    expect(body).toEqual({
      type: 'keyring',
      initialized: true,
      sealed: false,
      t: 0,
      n: 0,
      progress: 0,
      nonce: '',
      version: COMPATIBLE,
      build_date: '',
      migration: false,
      cluster_name: 'lockkeeper',
      cluster_id: (await get('health')).body.cluster_id,
      recovery_seal: false,
      storage_type: kind,
    });
    for (const method of ['PUT', 'POST']) {
      const unsealed = await server.call(method, '/v1/sys/unseal', { body: { key: 'abc' } });
      expect([unsealed.status, unsealed.body]).toEqual([200, body]);
    }
  });

  it('cannot be initialized again', async () => {
    expect(await get('init')).toMatchObject({ status: 200, body: { initialized: true } });
    for (const method of ['PUT', 'POST']) {
      const again = await server.call(method, '/v1/sys/init', { body: { secret_shares: 5, secret_threshold: 3 } });
      expect([again.status, again.body]).toEqual([400, { errors: ['the server is already initialized'] }]);
    }
  });

  it('has no leader', async () => {
    const { status, body } = await get('leader');
    expect([status, body.ha_enabled, body.is_self, body.leader_address]).toEqual([200, false, false, '']);
  });

  it('cannot be sealed', async () => {
    expect((await server.call('PUT', '/v1/sys/seal')).status).toBe(403);
    const asked = await server.root('PUT', '/v1/sys/seal');
    expect([asked.status, asked.body.errors]).toEqual([400, [expect.stringContaining('cannot be sealed')]]);
    expect((await get('seal-status')).body.sealed).toBe(false);
  });

  it('leaves only these requests out of the audit log', async () => {
    for (const path of ['health', 'seal-status', 'leader', 'init']) await get(path);
    await server.call('PUT', '/v1/sys/unseal', { body: { key: 'a-key-share' } });
    await expect.poll(() => JSON.stringify(server.auditLines())).toContain('/v1/sys/unseal');
    const record = JSON.stringify(server.auditLines());
    for (const path of ['health', 'seal-status', 'leader']) expect(record).not.toContain(`/v1/sys/${path}`);
    expect(record).not.toContain('a-key-share');
  });

  it('returns one response for one path', async () => {
    const statusOf = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const { hostname, port } = new URL(server.address);
        request({ hostname, port, path, ca: server.ca, agent: false }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      });
    expect(await statusOf('/v1/sys/health/')).toBe(200);
    expect(await statusOf('/v1/sys/%68ealth')).toBe(200);
    for (const path of ['/v1/sys//health', '/v1/sys/./health', '/v1/auth/../sys/health', '/v1/sys/x/%2e%2e/health']) {
      expect([path, await statusOf(path)]).toEqual([path, 400]);
    }
  });

  it('is ready while it can write to its database, and no longer', async () => {
    const ready = () => server.call('GET', '/healthz/ready');
    const database = { name: 'database-access', ok: true };
    expect(await ready()).toMatchObject({ status: 200, body: { checks: expect.arrayContaining([database]) } });
    // SQLite is covered by test/cli/full-disk.test.ts.
    if (kind === 'sqlite') return;
    await server.application.databases.access.run(sql('DROP TABLE write_check'), {});
    const failing = { name: 'database-access', ok: false, reason: '42P01' };
    await expect
      .poll(ready, { timeout: 10_000 })
      .toMatchObject({ status: 503, body: { checks: expect.arrayContaining([failing]) } });
    expect(await get('health')).toMatchObject({ status: 503, body: { sealed: false, failing: [failing] } });
  });
});
