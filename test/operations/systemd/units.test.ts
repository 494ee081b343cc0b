import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/index.ts';
import type { Dialect } from '../../../src/storage/index.ts';
import { Site } from '../../support/machine/site.ts';
import { type Manager, startManager } from '../support/service-manager.ts';
import { deniedCalls, exposure, unitFile } from '../support/units.ts';
import { useServer } from '../support/use-server.ts';

let folder = '';
const endings: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-units-'));
});
afterEach(async () => {
  await Promise.all(endings.splice(0).map((end) => end()));
  rmSync(folder, { recursive: true });
});

async function install(storage: Dialect = 'sqlite', workers = 1): Promise<Site> {
  const installation = new Site(storage, { workers: String(workers) });
  endings.push(() => installation.remove());
  await installation.init();
  return installation;
}

async function manage(): Promise<Manager> {
  const manager = await startManager(folder);
  endings.push(() => manager.stop());
  return manager;
}

describe('the units', () => {
  test.each([
    ['lockkeeper', 2],
    // The sandboxes of the agent use namespaces, mounts, networks and control groups.
    ['lockkeeper-agent', 3.6],
  ])('%s has an exposure level below %d of 10', (name, most) => {
    expect(exposure(name)).toBeLessThan(most);
  });

  test.each(['lockkeeper', 'lockkeeper-agent'])('systemd accepts %s', (name) => {
    const text = readFileSync(unitFile(name), 'utf8').replaceAll(/^(Exec\w+=)lockkeeper /gm, '$1/usr/bin/env ');
    const file = join(folder, `${name}.service`);
    writeFileSync(file, text);
    expect(execFileSync('sh', ['-c', `systemd-analyze verify --man=no ${file} 2>&1`], { encoding: 'utf8' })).toBe('');
  });

  test('the server finds its credentials at the path in the guide', () => {
    const unit = readFileSync(unitFile('lockkeeper'), 'utf8');
    const guide = readFileSync(new URL('../../../docs/operations/install.md', import.meta.url), 'utf8');
    const [, file = ''] = /```yaml\n(listeners:[\s\S]*?)```/.exec(guide) ?? [];
    const credentials = '/run/credentials/lockkeeper.service';
    const [, keyring = ''] = /^Environment=LOCKKEEPER_KEYRING_FILE=%d(\S+)$/m.exec(unit) ?? [];
    const environment = { LOCKKEEPER_KEYRING_FILE: `${credentials}${keyring}` };
    const config = loadConfig({ file, environment, flags: [] }, '/etc/lockkeeper');
    const handed = [...unit.matchAll(/^LoadCredential=(\S+?):(\S+)$/gm)].map(([, name]) => `${credentials}/${name}`);
    expect([config.keyring.file, config.listeners[0]?.tls?.privateKeyFile]).toEqual(handed);
  });

  test('systemd waits longer than the server takes to stop', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(readFileSync(unitFile('lockkeeper'), 'utf8')) ?? [];
    expect(Number(seconds)).toBeGreaterThan(5 + 30);
  });
});

describe('a server with the system call filter of its unit', () => {
  test('works as without the filter', async () => {
    const denied = deniedCalls('lockkeeper').map((call) => `?${call}`);
    expect(denied.length).toBeGreaterThan(100);
    expect(denied).toContain('?mount');
    const refuse = ['-e', `trace=${denied.join()}`, '-e', `inject=${denied.join()}:error=EPERM`];
    const installation = await install();
    const server = await installation.serve({
      within: ['strace', '-f', '-qq', '-o', join(folder, 'refused'), ...refuse],
    });
    await useServer(server, installation.tokens.user);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
    // Exception: SQLite, running as root, gives its files to the owner of the database.
    const refused = readFileSync(join(folder, 'refused'), 'utf8').split('\n');
    expect(refused.filter((line) => line.includes('EPERM') && !/ fchown\(\d+, 0, 0\) /.test(line))).toEqual([]);
  });
});

describe('the service manager', () => {
  test.each([
    ['one process', 'sqlite', 1],
    ['several workers', 'postgres', 2],
  ] as const)('is notified of %s: ready, alive, stopping', async (_name, storage, workers) => {
    const manager = await manage();
    const installation = await install(storage, workers);
    const server = await installation.serve({
      environment: { NOTIFY_SOCKET: manager.socket, WATCHDOG_USEC: '600000' },
    });
    await expect.poll(() => manager.told.filter((one) => one === 'WATCHDOG=1').length).toBeGreaterThan(1);
    expect(manager.told.filter((one) => one !== 'WATCHDOG=1')).toEqual(['READY=1']);
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(manager.told.filter((one) => one !== 'WATCHDOG=1')).toEqual(['READY=1', 'STOPPING=1']);
  });

  test('gets no message from a paused process', async () => {
    const manager = await manage();
    const installation = await install();
    const server = await installation.serve({
      environment: { NOTIFY_SOCKET: manager.socket, WATCHDOG_USEC: '300000' },
    });
    await expect.poll(() => manager.told).toContain('WATCHDOG=1');
    server.signal('SIGSTOP');
    // All pending messages have arrived.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = manager.told.length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(manager.told.length).toBe(before);
    server.signal('SIGCONT');
    await expect.poll(() => manager.told.length).toBeGreaterThan(before);
  });

  test('that cannot be notified does not stop the server', async () => {
    const installation = await install();
    const server = await installation.serve({ environment: { NOTIFY_SOCKET: join(folder, 'nobody') } });
    await useServer(server, installation.tokens.user);
    const { code, stdout } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(stdout).toContain('systemd-notify failed, so systemd does not know the state of this server');
  });
});
