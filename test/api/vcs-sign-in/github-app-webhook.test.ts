import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/storage/index.ts';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { type FakeEnterprise, startFakeEnterprise } from '../../support/vcs/fake-enterprise.ts';
import { deliveryHeaders, type FakeProvider, type FakeRepository, fakeGitHub } from '../../support/vcs/fake-github.ts';
import type { FakeApp } from '../../support/vcs/fake-state.ts';
import { atProvider, Browser, formIn, refreshIn } from './browser.ts';

const POLL = { timeout: 30_000, interval: 50 };
const ADDRESS = 'https://lock.example.com';
const selectDue = sql<{ id: string }, { dueAt: number }>(
  'SELECT due_at AS "dueAt" FROM vcs_repository WHERE connection_id = :id',
);

describe.each(databaseKinds)('the webhook of a GitHub App on %s', { timeout: 90_000 }, (kind) => {
  let server: TestServer;
  let github: FakeProvider;
  let enterprise: FakeEnterprise;
  let owner: Browser;
  let app: FakeApp;
  let repository: FakeRepository;
  let installation: string;
  let workspace: string;

  beforeAll(async () => {
    github = await fakeGitHub();
    enterprise = await startFakeEnterprise(github);
    server = await startTestServer(kind, {
      services: ['access', 'workspaces', 'console'],
      vcs: { allowedAddresses: ['127.0.0.1'] },
      publicAddress: ADDRESS,
    });
    github.clock = () => server.now();
    const organization = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    await server.user('POST', '/api/v2/organizations', { data: organization });
    repository = await github.createRepository('acme/infra');
    owner = await Browser.open(server, server.userToken);
  });
  afterAll(async () => {
    await server.stop();
    enterprise.stop();
    await github.stop();
  });

  const get = async (path: string) => (await server.user('GET', `/api/v2${path}`)).body.data;
  const messages = async () =>
    (await get(`/workspaces/${workspace}/runs`)).map(
      ({ attributes }: { attributes: { message: string } }) => attributes.message,
    );
  const dueAt = async () => (await server.application.workspaces.database.one(selectDue, { id: installation }))?.dueAt;

  /** Sends a delivery as GitHub does. */
  function deliver(event: string, payload: object, secret = app.hook?.secret ?? '') {
    server.advance(1);
    const { id, fullName } = repository;
    const sender = { login: 'ada', avatar_url: `${github.httpUrl}/ada.png`, html_url: `${github.httpUrl}/ada` };
    const body = JSON.stringify({
      ...{ installation: { id: 7001 }, repository: { id, full_name: fullName }, sender },
      ...payload,
    });
    const path = new URL(app.hook?.url ?? '').pathname;
    return server.call('POST', path, { body, headers: deliveryHeaders('github', event, secret, body) });
  }

  async function push(message: string) {
    const before = await repository.git.id();
    const after = await repository.git.commit({ 'main.tf': `# ${message}` }, message);
    return { ref: 'refs/heads/main', before, after };
  }

  test('is made with the App, and a delivery starts a run at once', async () => {
    const { httpUrl } = enterprise;
    const { fields } = formIn((await owner.get('/auth/github-app?organization_id=acme')).text);
    const page = await owner.post('/auth/github-app', { ...fields, account: 'acme', http_url: httpUrl });
    const form = formIn(page.text);
    const manifest = JSON.parse(form.fields.manifest ?? '');
    expect(manifest.default_events).toEqual(['push', 'pull_request', 'repository']);
    expect((await owner.comeBack(await atProvider(form.action, form.fields))).status).toBe(200);
    [app] = github.apps.values() as unknown as [FakeApp];
    expect(app.hook?.url).toMatch(/^https:\/\/lock\.example\.com\/webhooks\/vcs\/[1-9A-Za-z]{24}$/);
    app.installations.push({ id: 7001, login: 'acme', type: 'Organization', users: ['ada'] });
    const signIn = await owner.post('/auth/github-app/sign-in', { organization_id: 'acme' });
    expect((await owner.comeBack(await atProvider(refreshIn(signIn.text)))).status).toBe(200);
    [{ id: installation }] = await get('/github-app/installations');
    await expect
      .poll(async () => (await get(`/github-app/installation/${installation}`)).attributes['connection-status'], POLL)
      .toBe('ok');
    const made = await server.user('POST', '/api/v2/organizations/acme/workspaces', {
      data: {
        type: 'workspaces',
        attributes: {
          ...{ name: 'app', 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
          'vcs-repo': { identifier: 'acme/infra', 'github-app-installation-id': installation },
        },
      },
    });
    expect(made.status, made.text).toBe(201);
    workspace = made.body.data.id;
    await expect.poll(messages, POLL).toEqual(['first']);

    const change = await push('second');
    expect((await deliver('push', change, 'another secret')).status).toBe(404);
    expect((await deliver('push', change)).status).toBe(202);
    await expect.poll(messages, POLL).toEqual(['second', 'first']);
    const [event] = await get('/organizations/acme/vcs-events');
    expect(event.attributes).toMatchObject({ 'sender-name': 'ada', 'run-count': 1 });
    const { id } = event.relationships['vcs-repository'].data;
    expect((await get(`/vcs-repositories/${id}`)).attributes).toMatchObject({
      ...{ 'webhook-state': 'made', 'webhook-url': app.hook?.url, 'last-delivery-at': expect.any(String) },
    });
    const renewal = await server.user('POST', `/api/v2/vcs-repositories/${id}/actions/renew-webhook-secret`);
    expect([renewal.status, renewal.text]).toEqual([409, expect.stringContaining('belongs to the GitHub App')]);
    const text = JSON.stringify([server.logLines(), server.auditLines(), page.text]);
    expect(text).not.toContain(app.hook?.secret);
  });

  test('lets the server look up a repository each ten minutes only', async () => {
    const due = (await dueAt()) ?? 0;
    server.advance((due - server.now()) / 1000 + 1);
    await expect.poll(dueAt, POLL).toBe(due + 600_000);
  });

  test('says that the installation was removed, and is unknown after the App was deleted', async () => {
    const installations = app.installations.splice(0);
    const removed = { action: 'deleted', repositories: [{ id: repository.id }], repository: undefined };
    expect((await deliver('installation', removed)).status).toBe(202);
    await expect
      .poll(async () => (await get(`/github-app/installation/${installation}`)).attributes['connection-status'], POLL)
      .toBe('refused');
    app.installations.push(...installations);
    expect((await deliver('installation', { ...removed, action: 'unsuspend' })).status).toBe(202);
    await expect
      .poll(async () => (await get(`/github-app/installation/${installation}`)).attributes['connection-status'], POLL)
      .toBe('ok');
    expect((await server.user('DELETE', '/api/v2/organizations/acme/github-app')).status).toBe(204);
    expect((await deliver('ping', {})).status).toBe(404);
  });
});
