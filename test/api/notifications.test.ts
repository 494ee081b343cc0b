import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { startSmtp } from '../support/mail/smtp.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { archive } from '../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const POLL = { timeout: 30_000 };
/** Seconds; longer than a node may hold a claimed delivery. */
const LEASE = 61;

describe.each(databaseKinds)('notifications of a whole server on %s', { timeout: 60_000 }, (kind) => {
  let receiver: Receiver;
  let names = 0;
  const servers: TestServer[] = [];
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.stop());
  afterEach(async () => {
    for (const server of servers.splice(0).toReversed()) await server.stop();
    receiver.answer = (_received, response) => void response.end('ok');
  });

  async function start(allowedAddresses: string[] = ['127.0.0.1'], beside?: TestServer): Promise<TestServer> {
    const notifications = { allowedAddresses, authoritiesFile: receiver.caFile };
    const server = await startTestServer(kind, { notifications, ...(beside && { beside }) });
    servers.push(server);
    return server;
  }

  async function made(server: TestServer, path: string, type: string, attributes: object, more: object = {}) {
    const answer = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, ...more } });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }

  /** A workspace with a configuration that runs can be made of. */
  async function newWorkspace(server: TestServer): Promise<string> {
    const name = `acme-${++names}`;
    await made(server, '/organizations', 'organizations', { name, email: 'a@example.com' });
    const { id } = await made(server, `/organizations/${name}/workspaces`, 'workspaces', { name: 'one' });
    const versions = `/workspaces/${id}/configuration-versions`;
    const { attributes } = await made(server, versions, 'configuration-versions', { 'auto-queue-runs': false });
    const upload = new URL(attributes['upload-url']).pathname;
    expect((await server.call('PUT', upload, { body: archive() })).status).toBe(200);
    return id;
  }

  const configure = (server: TestServer, workspace: string, attributes: object) =>
    server.user('POST', `/api/v2/workspaces/${workspace}/notification-configurations`, {
      data: {
        type: 'notification-configurations',
        attributes: { name: 'Builds', 'destination-type': 'generic', enabled: true, ...attributes },
      },
    });
  const newRun = (server: TestServer, workspace: string) =>
    made(
      server,
      '/runs',
      'runs',
      {},
      { relationships: { workspace: { data: { type: 'workspaces', id: workspace } } } },
    );

  test('two nodes send each notification once', async () => {
    const first = await start();
    const second = await start(['127.0.0.1'], first);
    const workspace = await newWorkspace(first);
    const url = `${receiver.address}/once`;
    expect((await configure(first, workspace, { url, triggers: ['run:created'] })).status).toBe(201);
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await newRun(i % 2 ? first : second, workspace)).id);
    await expect.poll(() => receiver.at('/once').length, POLL).toBe(5);
    const told = receiver
      .at('/once')
      .slice(1)
      .map(({ body }) => body.run_id);
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  test('a delivery that one node has claimed and not finished is finished by another', async () => {
    const first = await start();
    const workspace = await newWorkspace(first);
    const url = `${receiver.address}/taken`;
    const { body } = await configure(first, workspace, { url, triggers: ['run:created'] });
    receiver.answer = () => {};
    await newRun(first, workspace);
    await expect.poll(() => receiver.at('/taken').length, POLL).toBe(2);
    receiver.answer = (_received, response) => void response.end('from another');
    const second = await start(['127.0.0.1'], first);
    second.advance(LEASE);
    await expect.poll(() => receiver.at('/taken').length, POLL).toBe(3);
    const shown = () => second.user('GET', `/api/v2/notification-configurations/${body.data.id}`);
    const newest = async () => (await shown()).body.data.attributes['delivery-responses'][0];
    await expect.poll(newest, POLL).toMatchObject({ body: 'from another', successful: 'true' });
    await receiver.stop();
    await first.application.workspaces.execution.notificationDeliveries.settled();
    expect(await newest(), 'who was late changes nothing').toMatchObject({ body: 'from another' });
    receiver = await startReceiver();
  });

  test('a node that stops waits only briefly, and leaves unanswered deliveries to another', async () => {
    const first = await start();
    const workspace = await newWorkspace(first);
    const url = `${receiver.address}/stopped`;
    expect((await configure(first, workspace, { url, triggers: ['run:created'] })).status).toBe(201);
    const second = await startTestServer(kind, {
      ...{ beside: first, services: ['workspaces'] },
      notifications: { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile },
    });
    await first.application.workspaces.execution.notificationDeliveries.stop();
    receiver.answer = () => {};
    const { id } = await newRun(second, workspace);
    await expect.poll(() => receiver.at('/stopped').length, POLL).toBe(2);
    await second.application.workspaces.execution.notificationDeliveries.stop();
    receiver.answer = (_received, response) => void response.end();
    await second.stop();
    const third = await start(['127.0.0.1'], first);
    third.advance(20);
    await expect.poll(() => receiver.at('/stopped').map(({ body }) => body.run_id), POLL).toEqual([null, id, id]);
  });

  test('an email leaves through the SMTP server of the configuration, and is counted', async () => {
    const smtp = await startSmtp();
    const { login, ...settings } = smtp.settings;
    const server = await startTestServer(kind, {
      smtp: {
        ...{ host: settings.host, port: settings.port, tls: settings.tls, from: settings.from, timeoutSeconds: 5 },
        authoritiesFile: smtp.caFile,
        login: { username: login?.username ?? '', password: { text: login?.password ?? '' } },
        recipientsPerHour: 2000,
        recipientDomains: ['lists.example.org'],
      },
    });
    servers.push(server);
    const workspace = await newWorkspace(server);
    const mail = {
      'destination-type': 'email',
      'email-addresses': ['ops@lists.example.org'],
      triggers: ['run:created'],
    };
    expect((await configure(server, workspace, mail)).status).toBe(201);
    const { id } = await newRun(server, workspace);
    await expect.poll(() => smtp.to('ops@lists.example.org').length, POLL).toBe(1);
    expect(smtp.received[0]?.source).toContain(id);
    const metrics = async () => (await server.call('GET', '/metrics')).text;
    await expect
      .poll(metrics, POLL)
      .toContain('notification_deliveries_total{destination="email",outcome="delivered"} 1');
    await smtp.stop();
  });

  test('no URL, token or response is in the log, the audit log or the metrics', async () => {
    const server = await start();
    const workspace = await newWorkspace(server);
    const url = `${receiver.address}/services/T0SECRET`;
    receiver.answer = (_received, response) => void response.end('ANSWER-SECRET');
    const { body } = await configure(server, workspace, { url, token: 'TOKEN-SECRET', triggers: ['run:created'] });
    receiver.answer = (_received, response) => void response.writeHead(404).end('ANSWER-SECRET');
    const path = `/api/v2/notification-configurations/${body.data.id}`;
    await newRun(server, workspace);
    const metrics = async () => (await server.call('GET', '/metrics')).text;
    await expect
      .poll(metrics, POLL)
      .toContain('notification_deliveries_total{destination="generic",outcome="given_up"} 1');
    expect(await metrics()).toContain('notification_deliveries_total{destination="generic",outcome="verified"} 1');
    expect((await server.user('POST', `${path}/actions/verify`)).status).toBe(400);
    const audit = server.auditLines();
    expect(audit.some((line) => JSON.stringify(line).includes(body.data.id))).toBe(true);
    const log = server.logLines();
    expect(log).toContainEqual(
      expect.objectContaining({
        msg: 'a notification was dropped after its last attempt',
        notification_configuration: body.data.id,
        workspace,
        trigger: 'run:created',
      }),
    );
    for (const text of [JSON.stringify(audit), JSON.stringify(log), await metrics()]) {
      expect(text).not.toMatch(/T0SECRET|TOKEN-SECRET|ANSWER-SECRET/);
    }
  });

  test('no request goes to a forbidden network, or over plain HTTP, unless the operator allows it', async () => {
    const plain = createServer((_request, response) => void response.end('ok')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    const closed = await start([]);
    const workspace = await newWorkspace(closed);
    for (const url of [
      receiver.address,
      `https://localhost:${receiver.port}/`,
      `http://127.0.0.1:${port}/`,
      'https://169.254.169.254/latest/meta-data',
      'https://10.1.2.3/',
      'https://192.168.1.1/',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://2130706433/',
      'http://93.184.215.14/',
    ]) {
      const answer = await configure(closed, workspace, { url });
      expect(answer.status, url).toBe(400);
      expect(answer.body.errors[0].detail).toContain('notifications.allowed_addresses');
      expect((await configure(closed, workspace, { url, enabled: false })).status).toBe(201);
    }
    const open = await start(['localhost']);
    const another = await newWorkspace(open);
    expect((await configure(open, another, { url: `http://localhost:${port}/` })).status).toBe(201);
    expect((await configure(open, another, { url: receiver.address })).status, 'under its name alone').toBe(400);
    plain.close();
  });

  test('a receiver with an untrusted certificate gets nothing', async () => {
    const server = await startTestServer(kind, { notifications: { allowedAddresses: ['127.0.0.1'] } });
    servers.push(server);
    const before = receiver.received.length;
    const answer = await configure(server, await newWorkspace(server), { url: receiver.address });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].detail).toContain('does not trust the certificate');
    expect(receiver.received).toHaveLength(before);
  });

  test('many slow receivers do not block the server: the fifth of an organization waits', async () => {
    const server = await start();
    const workspace = await newWorkspace(server);
    const held: { end(): void }[] = [];
    receiver.answer = (_received, response) => void held.push(response);
    const slow = Array.from({ length: 4 }, (_, i) =>
      configure(server, workspace, { url: `${receiver.address}/slow${i}` }),
    );
    await expect.poll(() => held.length, POLL).toBe(4);
    const fifth = await configure(server, workspace, { url: `${receiver.address}/slow5` });
    expect(fifth.status).toBe(429);
    for (const response of held) response.end();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(201);
    receiver.answer = (_received, response) => void response.end();
    expect((await configure(server, workspace, { url: `${receiver.address}/slow6` })).status).toBe(201);
  });
});
