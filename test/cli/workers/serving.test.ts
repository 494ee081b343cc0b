import { readFileSync, renameSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workspacesMigrations } from '../../../src/workspaces/index.ts';
import { auditEntries } from '../../support/audit.ts';
import { postgresUrl } from '../../support/databases.ts';
import { call } from '../../support/http.ts';
import { get } from '../../support/plain-http.ts';
import { WorkersInstallation, type WorkersServer } from '../../support/workers.ts';

const SLOW = { timeout: 120_000 };
const REQUESTS = /^http_requests_total\{.*route="\/v1\/sys\/health",status="200"\} (\d+)$/m;

describe.skipIf(postgresUrl === undefined)('several workers', () => {
  let installation: WorkersInstallation;
  let server: WorkersServer;

  beforeAll(async () => {
    installation = new WorkersInstallation('limits: { lame_duck: 0s }\nworkers: 3');
    await installation.init();
    server = await installation.serve();
  }, 180_000);
  afterAll(() => installation.remove());

  const agents: Agent[] = [];
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });

  /** Opens this many connections, keeps each, and sends one request on each. */
  async function ask(path: string, connections: number, headers = {}): Promise<{ status: number; text: string }[]> {
    const answers: { status: number; text: string }[] = [];
    for (let n = 0; n < connections; n++) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      agents.push(agent);
      answers.push(await get(`${server.plainAddress}${path}`, { agent, headers }));
    }
    return answers;
  }

  it('have similar numbers of connections, and each log line names its worker', async () => {
    const before = server.logged('request').length;
    await ask('/v1/sys/health', 9);
    await expect.poll(() => server.logged('request').length, { timeout: 10_000 }).toBe(before + 9);
    const byWorker = Map.groupBy(server.logged('request').slice(before), ({ worker }) => worker);
    expect([...byWorker].map(([worker, lines]) => [worker, lines.length]).sort()).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    const pids = server.workerPids();
    expect(pids).toHaveLength(3);
    for (const [, lines] of byWorker) expect(pids).toContain(lines[0]?.pid);
    // The first line is from the main process, which is not a worker.
    const [first = ''] = server.command.stdout.split('\n');
    expect(JSON.parse(first)).not.toHaveProperty('worker');
  });

  it('give the same answers, over TLS and HTTP/2, too', async () => {
    const over = { address: `https://127.0.0.1:${server.tls.port}`, ca: server.tls.ca ?? '' };
    const { root, user } = installation.tokens;
    for (let n = 0; n < 3; n++) {
      expect((await call(over, 'GET', '/v1/auth/token/lookup-self', { token: root })).status).toBe(200);
      expect((await call(over, 'GET', '/api/v2/account/details', { token: user })).status).toBe(200);
    }
    const written = await call(over, 'POST', '/v1/sys/policies/acl/shared', {
      token: root,
      body: { policy: 'path "a" {}' },
    });
    expect(written.status).toBe(204);
    for (let n = 0; n < 3; n++)
      expect((await call(over, 'GET', '/v1/sys/policies/acl/shared', { token: root })).body.data.policy).toContain(
        '"a"',
      );
  });

  it('have one shared metrics page, and keep their counts when one of them dies', async () => {
    const count = async () => Number(REQUESTS.exec((await ask('/metrics', 1))[0]?.text ?? '')?.[1]);
    const before = await count();
    await ask('/v1/sys/health', 6);
    for (let n = 0; n < 3; n++) await expect.poll(count, { timeout: 10_000 }).toBe(before + 6);
    const [, { text = '' } = {}] = await ask('/metrics', 2);
    expect(text).toMatch(/^process_start_time_seconds \d+$/m);
    expect(Number(/^connections\{listener="127.0.0.1:0"\} (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(6);
    const [victim = 0] = server.workerPids();
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => server.logged('a crashed worker was replaced').length, { timeout: 20_000 }).toBe(1);
    for (let n = 0; n < 3; n++) expect(await count()).toBe(before + 6);
  });

  it('show the background tasks of all of them, whichever worker answers', async () => {
    const retention = async () => {
      const answers = await ask('/healthz/ready?verbose', 3);
      return answers.map(({ text }) => /"name":"retention","status":"(\w+)","found":"(not leader: )?(\w+)/.exec(text));
    };
    await expect
      .poll(async () => (await retention()).map((found) => [found?.[1], found?.[3]]), { timeout: 30_000 })
      .toEqual(Array(3).fill(['success', 'ok']));
    // The connections go to three workers, and one of them is the leader.
    expect((await retention()).filter((found) => found?.[2] === undefined)).toHaveLength(1);
    const [{ text = '' } = {}] = await ask('/metrics', 1);
    expect(text).toMatch(/^lockkeeper_background_leader 1$/m);
    expect(text).toMatch(/^lockkeeper_background_task_ok\{task="retention"\} 1$/m);
  });

  it('add up the counts of each worker, and report shared values once', async () => {
    const [{ text = '' } = {}] = await ask('/metrics', 1);
    const values = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
    expect(values('lockkeeper_ready')).toEqual([1]);
    expect(values('lockkeeper_build_info')).toEqual([1]);
    expect(values('lockkeeper_audit_sink_up')).toEqual([1]);
    const steps = workspacesMigrations.map(({ name }) => Number.parseInt(name, 10));
    expect(values('lockkeeper_schema_step')).toContain(Math.max(...steps));
    const [most = 0] = values('lockkeeper_database_connections_max');
    expect(most % server.workerPids().length).toBe(0);
    expect(most).toBeGreaterThan(server.workerPids().length);
    const [expiry = 0] = values('lockkeeper_tls_certificate_expiry_timestamp_seconds');
    expect(expiry).toBeLessThan(Date.now() / 1000 + 100 * 365 * 86_400);
  });

  it('answer with the same history and the same audit log on every connection', async () => {
    const over = { address: `https://127.0.0.1:${server.tls.port}`, ca: server.tls.ca ?? '' };
    const { root: token } = installation.tokens;
    const get = async (path: string) => (await call(over, 'GET', path, { token })).body.data;
    const requests = async (): Promise<number> => {
      const { points } = await get('/v1/sys/figures');
      return points.reduce((sum: number, point: { access: { requests: number } }) => sum + point.access.requests, 0);
    };
    const before = await requests();
    await ask('/v1/sys/health', 6);
    // Each call is a request itself, which the next call counts.
    for (let n = 1; n <= 3; n++) expect(await requests()).toBe(before + 6 + n);
    const { records } = await get('/v1/sys/audit-record?path=/v1/sys/figures&type=response');
    expect(records).toHaveLength(4);
  });

  it('are ready together', async () => {
    for (const { status, text } of await ask('/healthz/ready', 3)) {
      expect(status).toBe(200);
      expect(JSON.parse(text).checks).toContainEqual({ name: 'workers', ok: true });
    }
  });

  it('write one audit log of whole lines, whatever their length, and open its file again together', SLOW, async () => {
    const { root } = installation.tokens;
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`unknown${n}`, `${n}`])));
    const headers = { authorization: `Bearer ${root}`, 'content-type': 'application/json' };
    const address = `${server.plainAddress}/v1/sys/policies/acl/long`;
    const write = () => fetch(address, { method: 'POST', headers, body }).then((answer) => answer.status);
    const statuses = await Promise.all(Array.from({ length: 60 }, write));
    expect(new Set(statuses).size).toBe(1);
    const lines = readFileSync(installation.auditFile, 'utf8').split('\n');
    expect(lines.filter(({ length }) => length > 4096).length).toBeGreaterThanOrEqual(60);
    // Each line can be parsed.
    auditEntries(installation.auditFile);

    renameSync(installation.auditFile, `${installation.auditFile}.1`);
    server.command.signal('SIGHUP');
    await expect.poll(() => readSize(installation.auditFile), { timeout: 10_000 }).toBe(0);
    const old = readFileSync(`${installation.auditFile}.1`, 'utf8');
    await expect.poll(() => server.logged('all workers were replaced').length, { timeout: 60_000 }).toBe(1);
    await ask('/v1/auth/token/lookup-self', 6, { authorization: `Bearer ${root}` });
    expect(auditEntries(installation.auditFile)).toHaveLength(12);
    expect(readFileSync(`${installation.auditFile}.1`, 'utf8')).toBe(old);
  });

  it('load new certificates on a signal, without a restart', SLOW, async () => {
    const subject = () =>
      new Promise<string>((resolve, reject) => {
        const socket: TLSSocket = connectTls({ host: '127.0.0.1', ...server.tls }, () => {
          resolve(String(socket.getPeerCertificate().subject.CN));
          socket.destroy();
        });
        socket.on('error', reject);
      });
    expect(await subject()).toBe('localhost');
    installation.renewCertificate('renewed');
    server.command.signal('SIGHUP');
    await expect.poll(subject, { timeout: 20_000 }).toBe('renewed');
    await expect.poll(() => server.logged('all workers were replaced').length, { timeout: 60_000 }).toBe(2);
    expect([await subject(), await subject(), await subject()]).toEqual(['renewed', 'renewed', 'renewed']);
  });

  it('exit with the main process, however it exits', async () => {
    const pids = server.workerPids();
    expect(pids).toHaveLength(3);
    server.command.signal('SIGKILL');
    await server.command.ended();
    const isThere = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(() => pids.filter(isThere), { timeout: 20_000 }).toEqual([]);
  });
});

function readSize(file: string): number | undefined {
  try {
    return readFileSync(file).length;
  } catch {
    return undefined;
  }
}
