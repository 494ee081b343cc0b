import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { archive } from '../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const POLL = { timeout: 30_000 };
/** Seconds; longer than a node may hold a claimed request. */
const LEASE = 61;

describe.each(databaseKinds)('run tasks of a whole server on %s', { timeout: 60_000 }, (kind) => {
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

  async function start(beside?: TestServer): Promise<TestServer> {
    const notifications = { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile };
    const server = await startTestServer(kind, { notifications, ...(beside && { beside }) });
    servers.push(server);
    return server;
  }

  async function made(server: TestServer, path: string, type: string, attributes: object, relationships?: object) {
    const data = { type, attributes, ...(relationships && { relationships }) };
    const answer = await server.user('POST', `/api/v2${path}`, { data });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  }

  /** Creates a workspace with a pre-plan run task, and returns its ID. */
  async function judged(server: TestServer, path: string): Promise<string> {
    const name = `judged-${++names}`;
    await made(server, '/organizations', 'organizations', { name, email: 'a@example.com' });
    const { id } = await made(server, `/organizations/${name}/workspaces`, 'workspaces', { name: 'one' });
    const versions = `/workspaces/${id}/configuration-versions`;
    const { attributes } = await made(server, versions, 'configuration-versions', { 'auto-queue-runs': false });
    const upload = new URL(attributes['upload-url']).pathname;
    expect((await server.call('PUT', upload, { body: archive() })).status).toBe(200);
    const task = await made(server, `/organizations/${name}/tasks`, 'tasks', {
      ...{ name: 'checks', category: 'task', url: receiver.address + path, 'hmac-key': 'KEY-SECRET' },
    });
    const stages = { 'enforcement-level': 'mandatory', stages: ['pre_plan'] };
    const relationships = { task: { data: { type: 'tasks', id: task.id } } };
    await made(server, `/workspaces/${id}/tasks`, 'workspace-tasks', stages, relationships);
    return id;
  }

  async function newRun(server: TestServer, workspace: string): Promise<string> {
    const relationships = { workspace: { data: { type: 'workspaces', id: workspace } } };
    return (await made(server, '/runs', 'runs', {}, relationships)).id;
  }
  const statusOf = async (server: TestServer, run: string) =>
    (await server.user('GET', `/api/v2/runs/${run}`)).body.data.attributes.status;
  const say = (server: TestServer, path: string, attributes: object) => {
    const { access_token: token, task_result_callback_url: url } = receiver.at(path).at(-1)?.body ?? {};
    const body = { data: { type: 'task-results', attributes } };
    return server.call('PATCH', new URL(url).pathname, { body, headers: { authorization: `Bearer ${token}` } });
  };

  test('a request without a response is sent again by another node, and any node accepts the result', async () => {
    const first = await start();
    const workspace = await judged(first, '/taken');
    receiver.answer = () => {};
    const run = await newRun(first, workspace);
    await expect.poll(() => receiver.at('/taken').length, POLL).toBe(2);
    receiver.answer = (_received, response) => void response.end();
    const second = await start(first);
    second.advance(LEASE);
    await expect.poll(() => receiver.at('/taken').length, POLL).toBe(3);
    const [, asked, again] = receiver.at('/taken').map(({ body }) => body.access_token);
    expect(again).toBe(asked);
    expect((await say(first, '/taken', { status: 'passed' })).status).toBe(200);
    expect(await statusOf(second, run)).toBe('plan_queued');
  });

  test('no key, URL, token or text of a service is in the log, the audit log or the metrics', async () => {
    const server = await start();
    const workspace = await judged(server, '/services/T0SECRET');
    const run = await newRun(server, workspace);
    await expect.poll(() => receiver.at('/services/T0SECRET').length, POLL).toBe(2);
    const { access_token: token } = receiver.at('/services/T0SECRET').at(-1)?.body ?? {};
    const said = { status: 'failed', message: 'MESSAGE-SECRET', url: 'https://checks.example.com/URL-SECRET' };
    expect((await say(server, '/services/T0SECRET', said)).status).toBe(200);
    expect(await statusOf(server, run)).toBe('errored');
    const metrics = async () => (await server.call('GET', '/metrics')).text;
    await expect.poll(metrics, POLL).toContain('run_task_requests_total{outcome="taken"} 1');
    const audit = server.auditLines();
    expect(audit.some((line) => JSON.stringify(line).includes('run-task'))).toBe(true);
    const written = [
      JSON.stringify(audit),
      JSON.stringify(server.logLines()),
      (await server.call('GET', '/metrics')).text,
    ];
    for (const text of written) {
      for (const secret of ['SECRET', token]) expect(text).not.toContain(secret);
    }
  });
});
