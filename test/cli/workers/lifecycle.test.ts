import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../support/databases.ts';
import { WorkersInstallation, type WorkersServer } from '../../support/workers.ts';

const SLOW = { timeout: 120_000 };
const SOON = { timeout: 60_000 };
const TAKES_PLACE = 'a crashed worker was replaced';

interface Lease {
  readonly holder: string;
  readonly term: string;
}

/** The known good configuration, with a change. */
function readWith(config: string, before: string, after: string): string {
  return readFileSync(`${config}.good`, 'utf8').replace(before, after);
}

describe.skipIf(postgresUrl === undefined)('the life of workers', () => {
  let installation: WorkersInstallation;

  beforeAll(async () => {
    installation = new WorkersInstallation('limits: { lame_duck: 0s }\nworkers: 2');
    await installation.init();
  }, 180_000);
  afterAll(() => installation.remove());

  async function stop({ command }: WorkersServer): Promise<void> {
    command.signal('SIGTERM');
    expect(await command.ended()).toMatchObject({ code: 0 });
  }

  /** Id of the process that holds the lock, from the database. */
  async function lease(): Promise<{ pid: number; term: number }> {
    const [found] = await installation.query<Lease>('SELECT holder, term FROM background_lease');
    return { pid: Number(found?.holder.split(' ')[1]), term: Number(found?.term) };
  }

  it(
    'one process of all nodes does the background work; when it stops, another one takes over at once',
    SLOW,
    async () => {
      const one = await installation.serve();
      const other = await installation.serve();
      const first = await lease();
      expect(one.workerPids()).toContain(first.pid);
      await stop(one);
      await expect
        .poll(async () => (await lease()).pid, SOON)
        .toSatisfy((pid: number) => other.workerPids().includes(pid));
      expect((await lease()).term).toBeGreaterThan(first.term);
      await stop(other);
    },
  );

  it('when it is killed, another process takes over after a while', SLOW, async () => {
    const server = await installation.serve();
    await expect.poll(async () => server.workerPids().includes((await lease()).pid), SOON).toBe(true);
    const before = await lease();
    process.kill(before.pid, 'SIGKILL');
    await expect.poll(async () => (await lease()).term, SOON).toBe(before.term + 1);
    const after = await lease();
    expect(after.pid).not.toBe(before.pid);
    await expect.poll(() => server.logged(TAKES_PLACE).length, SOON).toBe(1);
    expect(server.workerPids()).toContain(after.pid);
    await stop(server);
  });

  it(
    'a worker that crashes repeatedly is restarted with increasing delays, while the other one serves',
    SLOW,
    async () => {
      const server = await installation.serve();
      const kill = async (times: number) => {
        const dead = server.logged('a worker has died').length;
        const [, victim = 0] = server.workerPids();
        process.kill(victim, 'SIGKILL');
        await expect.poll(() => server.logged('a worker has died').length, SOON).toBe(dead + 1);
        expect((await fetch(`${server.plainAddress}/v1/sys/health`)).status).toBe(200);
        await expect.poll(() => server.logged(TAKES_PLACE).length, SOON).toBe(times);
      };
      for (const times of [1, 2, 3]) await kill(times);
      expect(server.workerPids()).toHaveLength(2);
      await stop(server);
    },
  );

  it('no connection is lost while there is no worker for a moment', SLOW, async () => {
    const server = await installation.serve();
    for (const pid of server.workerPids()) process.kill(pid, 'SIGKILL');
    await expect.poll(() => server.logged('a worker has died').length, SOON).toBe(2);
    expect((await fetch(`${server.plainAddress}/v1/sys/health`)).status).toBe(200);
    await stop(server);
  });

  it('a worker that uses too much memory is replaced, and no other one', SLOW, async () => {
    const server = await installation.serve('limits.worker_memory=64');
    const before = server.workerPids();
    const told = () => server.logged('a worker exceeds its memory limit and is replaced');
    await expect.poll(() => told().length, SOON).toBe(1);
    const [{ memory, most, worker } = {}] = told();
    expect(most).toBe(64 * 1024 * 1024);
    expect(Number(memory)).toBeGreaterThan(Number(most));
    const replaced = before[Number(worker) - 1] ?? 0;
    await expect.poll(() => server.workerPids().includes(replaced), SOON).toBe(false);
    const after = server.workerPids();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual(before.filter((pid) => pid !== replaced));
    expect(told()).toHaveLength(1);
    expect(server.logged('a worker has died')).toEqual([]);
    await stop(server);
  });

  it('new workers use a new configuration, and an invalid one is ignored', SLOW, async () => {
    const server = await installation.serve();
    const { config } = installation;
    copyFileSync(config, `${config}.good`);
    const refusedReload = async (text: string, reason: RegExp) => {
      const refused = server.logged('the configuration could not be reloaded; the previous one stays in effect').length;
      writeFileSync(config, text);
      server.command.signal('SIGHUP');
      const lines = () => server.logged('the configuration could not be reloaded; the previous one stays in effect');
      await expect.poll(() => lines().length, SOON).toBe(refused + 1);
      expect(lines().at(-1)?.reason).toMatch(reason);
    };
    await refusedReload('listeners: []', /listeners: found/);
    await refusedReload(readWith(config, 'workers: 2', 'workers: 3'), /workers: changed; restart the server/);
    expect((await fetch(`${server.plainAddress}/v1/sys/health`)).status).toBe(200);
    writeFileSync(config, readWith(config, 'lame_duck: 0s', 'lame_duck: 0s, body_bytes: 1024'));
    const replaced = server.logged('all workers were replaced').length;
    server.command.signal('SIGHUP');
    await expect.poll(() => server.logged('all workers were replaced').length, SOON).toBeGreaterThan(replaced);
    const statusOfLargeBody = async () => {
      const headers = { authorization: `Bearer ${installation.tokens.root}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ policy: 'x'.repeat(4096) });
      return (await fetch(`${server.plainAddress}/v1/sys/policies/acl/a`, { method: 'POST', headers, body })).status;
    };
    await expect.poll(statusOfLargeBody, SOON).toBe(413);
    copyFileSync(`${config}.good`, config);
    await stop(server);
  });

  it('a worker stays when its replacement cannot start', SLOW, async () => {
    const server = await installation.serve();
    const before = server.workerPids();
    rmSync(join(installation.folder, 'server.key'));
    server.command.signal('SIGHUP');
    await expect.poll(() => server.logged('a worker could not be replaced').length, SOON).toBe(1);
    expect(server.workerPids()).toEqual(before);
    expect((await fetch(`${server.plainAddress}/v1/sys/health`)).status).toBe(200);
    installation.renewCertificate('localhost');
    await stop(server);
  });

  describe('a problem at the start is reported once', () => {
    const refused = async (...settings: string[]) => {
      const { code, stdout, stderr } = await installation.command('serve', ...settings).ended();
      return { code, stdout, lines: stderr.trimEnd().split('\n') };
    };

    it('a database that cannot be reached', SLOW, async () => {
      const { code, stdout, lines } = await refused('storage.url=postgres://127.0.0.1:1/nothing');
      expect([code, stdout, lines]).toEqual([6, '', [expect.stringMatching(/^lockkeeper: .*database/i)]]);
    });

    it('another keyring', SLOW, async () => {
      const other = new WorkersInstallation('workers: 2');
      await other.init();
      const { code, stdout, lines } = await refused(`keyring_file=${join(other.folder, 'keyring.json')}`);
      expect([code, stdout, lines]).toEqual([1, '', [expect.stringMatching(/^lockkeeper: .*keyring/)]]);
      await other.remove();
    });

    it('a certificate that is not there', SLOW, async () => {
      rmSync(join(installation.folder, 'server.pem'));
      const { code, stdout, lines } = await refused();
      const reason = expect.stringMatching(/^lockkeeper: listeners\[0\]\.tls\.certificate_file: cannot read /);
      expect([code, stdout, lines]).toEqual([2, '', [reason]]);
      installation.renewCertificate('localhost');
    });

    it('a port that is taken', SLOW, async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => taken.once('listening', resolve));
      const { port } = taken.address() as { port: number };
      const { config } = installation;
      copyFileSync(config, `${config}.good`);
      writeFileSync(config, readWith(config, '127.0.0.1:0', `127.0.0.1:${port}`));
      const { code, stdout, lines } = await refused();
      expect([code, stdout, lines]).toEqual([
        2,
        '',
        [expect.stringMatching(/^lockkeeper: 127\.0\.0\.1:\d+ is in use/)],
      ]);
      copyFileSync(`${config}.good`, config);
      taken.close();
    });

    it('a setting, before anything is started', SLOW, async () => {
      const { code, lines } = await refused('workers=200');
      expect([code, lines.at(-1)]).toEqual([2, expect.stringMatching(/workers .*found 200; allowed: auto, 1 to 128/)]);
    });
  });
});
