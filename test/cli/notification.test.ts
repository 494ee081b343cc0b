import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Command, type Finished } from '../support/command.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Runs the commands as processes, against a whole server. */
describe('lockkeeper notification', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-notification-'));
  let server: TestServer;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    const notifications = { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile };
    server = await startTestServer('sqlite', { notifications });
    writeFileSync(join(folder, 'ca.pem'), server.ca);
    writeFileSync(join(folder, 'url'), `${receiver.address}/secret-path\n`);
    await made('/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    await made('/organizations/acme/workspaces', 'workspaces', { name: 'network' });
  });
  afterAll(async () => {
    await server.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true });
  });

  async function made(path: string, type: string, attributes: object) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
  }
  const command = (...args: string[]): Promise<Finished> => {
    const started = new Command(['notification', ...args], {
      LOCKKEEPER_ADDR: server.address,
      LOCKKEEPER_CACERT: join(folder, 'ca.pem'),
      LOCKKEEPER_TOKEN: server.userToken,
      LOCKKEEPER_ORGANIZATION: 'acme',
    });
    started.process.stdin?.end();
    return started.ended();
  };
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await command(...args);
    expect([code, stderr], args.join(' ')).toEqual([0, '']);
    return stdout;
  };

  it('creates, lists, verifies and deletes', async () => {
    const receiverOf = ['--type', 'generic', '--url-file', join(folder, 'url'), '--trigger', 'run:errored'];
    const given = ['create', 'network', '--name', 'Builds', ...receiverOf];
    const id = (await ok(...given, '--trigger', 'run:completed', '--field', 'id')).trim();
    expect(id).toMatch(/^nc-/);
    expect(receiver.at('/secret-path')).toHaveLength(1);
    const list = await ok('list', 'acme/network');
    expect(list.split('\n')[1]).toMatch(/^Builds +nc-\w+ +generic +true +run:errored, run:completed/);
    expect(list).not.toContain('secret-path');
    expect(await ok('verify', id)).toMatch(/^code +200$/m);
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    const failed = await command('verify', id);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain('the receiver answered with status 500');
    expect(await ok('delete', id)).toBe(`Deleted ${id}\n`);
    expect(await ok('list', 'network', '--format', 'json')).toContain('"data": []');
  });

  it('shows what a workspace inherits, and stores emails for the organization', async () => {
    const { data } = (await server.user('GET', '/api/v2/account/details')).body;
    const mail = ['create', '--all', '--name', 'On call', '--type', 'email', '--user', data.id];
    expect(await ok(...mail, '--trigger', 'run:errored')).toMatch(
      /^notice +No email is sent, because this server has no/m,
    );
    expect((await ok('list', 'network', '--inherited')).split('\n')[1]).toMatch(/^On call +nc-\w+ +email +true/);
    expect(JSON.parse(await ok('list', '--all', '--format', 'json')).data[0].relationships.users.data).toEqual([
      { type: 'users', id: data.id },
    ]);
  });

  it('says which scope to name', async () => {
    for (const args of [['list'], ['list', 'network', '--all'], ['list', '--all', '--inherited']]) {
      const { code, stderr } = await command(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toContain('Name ');
    }
  });
});
