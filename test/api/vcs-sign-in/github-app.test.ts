import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { type FakeEnterprise, startFakeEnterprise } from '../../support/vcs/fake-enterprise.ts';
import { type FakeProvider, fakeGitHub } from '../../support/vcs/fake-github.ts';
import { atProvider, Browser, formIn, refreshIn } from './browser.ts';

describe.each(databaseKinds)('the GitHub App of an organization on %s', (kind) => {
  let server: TestServer;
  let github: FakeProvider;
  let enterprise: FakeEnterprise;
  let httpUrl: string;
  let owner: Browser;
  let stranger: Browser;
  let strangerToken: string;
  const PAGE = '/auth/github-app?organization_id=acme';

  beforeAll(async () => {
    github = await fakeGitHub();
    enterprise = await startFakeEnterprise(github);
    httpUrl = enterprise.httpUrl;
    server = await startTestServer(kind, {
      services: ['access', 'workspaces', 'console'],
      vcs: { allowedAddresses: ['127.0.0.1'] },
    });
    for (const name of ['acme', 'other']) {
      const organization = { type: 'organizations', attributes: { name, email: 'a@example.com' } };
      await server.user('POST', '/api/v2/organizations', { data: organization });
    }
    await github.createRepository('acme/infra');
    owner = await Browser.open(server, server.userToken);
    const { tenancy } = server.application.workspaces;
    const { id } = await tenancy.users.create({ username: 'stranger', email: 'stranger@example.com' });
    const { text } = await tenancy.tokens.issue(id, { description: '', expiresAt: null });
    strangerToken = text;
    stranger = await Browser.open(server, text);
  });
  afterAll(async () => {
    await server.stop();
    enterprise.stop();
    await github.stop();
  });

  const get = (path: string) => server.user('GET', `/api/v2${path}`);
  /** Sends the manifest to GitHub. Returns the URL to which GitHub leads the browser. */
  async function away(): Promise<string> {
    const { fields } = formIn((await owner.get(PAGE)).text);
    const page = await owner.post('/auth/github-app', { ...fields, account: 'acme', http_url: httpUrl });
    const form = formIn(page.text);
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${httpUrl}`);
    expect(new URL(form.action).pathname).toBe('/organizations/acme/settings/apps/new');
    expect(JSON.parse(form.fields.manifest ?? '')).toMatchObject({
      public: false,
      default_permissions: { contents: 'read', metadata: 'read' },
    });
    return atProvider(form.action, form.fields);
  }
  async function signInAtGitHub(): Promise<string> {
    const page = await owner.post('/auth/github-app/sign-in', { organization_id: 'acme' });
    return atProvider(refreshIn(page.text));
  }

  test('is created by a manifest, and only the session that asked for it may end that; its key is never shown', async () => {
    expect((await get('/organizations/acme/github-app')).status).toBe(404);
    expect((await stranger.get(PAGE)).status).toBe(404);
    const back = await away();
    expect((await stranger.comeBack(back)).status).toBe(403);
    const made = await owner.comeBack(back);
    expect([made.status, made.text]).toEqual([200, expect.stringContaining('Install the App at GitHub')]);
    expect((await owner.comeBack(back)).status).toBe(403);
    const { data } = (await get('/organizations/acme/github-app')).body;
    expect(data.attributes).toMatchObject({
      name: 'Lockkeeper acme',
      'install-url': expect.stringContaining('/apps/'),
    });
    const [app] = github.apps.values();
    const text = JSON.stringify([server.logLines(), server.auditLines(), made.text, data]);
    for (const secret of ['BEGIN RSA', app?.clientSecret ?? '', new URL(back).searchParams.get('code') ?? ''])
      expect(text).not.toContain(secret);
    const second = await owner.post('/auth/github-app', { organization_id: 'acme', account: '', http_url: httpUrl });
    expect(second.status).toBe(409);
    expect((await server.call('DELETE', '/api/v2/organizations/acme/github-app')).status).toBe(401);
  });

  test('has the installations that a user proved to have, and a workspace uses one of them', async () => {
    const [app] = github.apps.values();
    app?.installations.push(
      { id: 7001, login: 'acme', type: 'Organization', users: ['ada'] },
      { id: 7002, login: 'foreign', type: 'Organization', users: ['eve'] },
    );
    expect((await get('/github-app/installations')).body.data).toEqual([]);
    const back = await signInAtGitHub();
    expect((await stranger.comeBack(back)).status).toBe(403);
    const linked = await owner.comeBack(back);
    expect([linked.status, linked.text]).toEqual([200, expect.stringContaining('<li>acme</li>')]);
    expect(linked.text).not.toContain('foreign');

    const filtered = () => get('/github-app/installations?filter[name]=acme&filter[installation_id]=7001');
    // The server checks a new installation in the background.
    await expect
      .poll(async () => (await filtered()).body.data[0].attributes['connection-status'], { timeout: 30_000 })
      .toBe('ok');
    const { data } = (await filtered()).body;
    const [installation] = data;
    expect(data).toHaveLength(1);
    expect(installation.id).toMatch(/^ghain-/);
    expect(installation.attributes).toMatchObject({
      ...{ name: 'acme', 'installation-id': 7001, 'installation-type': 'Organization' },
      'icon-url': expect.stringContaining('http'),
      'installation-url': expect.stringContaining('http'),
    });
    for (const nothing of ['filter[name]=foreign', 'filter[installation_id]=7002', 'filter[installation_id]=x'])
      expect((await get(`/github-app/installations?${nothing}`)).body.data).toEqual([]);
    expect((await get(`/github-app/installation/${installation.id}`)).body.data).toEqual(installation);
    expect((await get('/organizations/acme/github-app-installations')).body.data).toEqual([installation]);
    expect((await get('/organizations/other/github-app-installations')).body.data).toEqual([]);
    const accounts = (await get(`/users/${server.userId}/github-app-oauth-tokens`)).body.data;
    expect(accounts).toMatchObject([{ attributes: { 'github-username': 'ada' } }]);
    const link = (organization: string, id: string) =>
      server.user('POST', `/api/v2/organizations/${organization}/github-app-installations/${id}/link-account`);
    expect((await link('acme', installation.id)).status).toBe(204);
    expect((await link('other', installation.id)).status).toBe(422);
    expect((await link('acme', 'ghain-1pABPw8bdB9aV5wj')).status).toBe(422);

    const repos = (await get(`/github-app-installations/${installation.id}/repos`)).body.data;
    expect(repos).toMatchObject([{ attributes: { identifier: 'acme/infra', private: true } }]);
    const query = `identifier=acme/infra&githubAppInstallationId=${installation.id}`;
    expect((await get(`/organizations/acme/vcs/repo?${query}`)).body.data.attributes).toMatchObject({ exists: true });

    const workspace = (organization: string, id: string) =>
      server.user('POST', `/api/v2/organizations/${organization}/workspaces`, {
        data: {
          type: 'workspaces',
          attributes: { name: 'app', 'vcs-repo': { identifier: 'acme/infra', 'github-app-installation-id': id } },
        },
      });
    expect((await workspace('other', installation.id)).status).toBe(422);
    const made = await workspace('acme', installation.id);
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.attributes['vcs-repo']).toMatchObject({
      ...{ 'github-app-installation-id': installation.id, 'oauth-token-id': null },
      ...{ 'service-provider': 'github_enterprise', 'repository-http-url': `${httpUrl}/acme/infra` },
    });
    const check = (token: string) =>
      server.call('POST', `/api/v2/github-app-installations/${installation.id}/actions/check`, { token });
    expect((await check(strangerToken)).status).toBe(404);
    expect((await check(server.userToken)).body.data.attributes).toMatchObject({
      ...{ name: 'acme', 'connection-status': 'ok', 'affected-workspaces-count': 1 },
      'connection-checked-at': new Date(server.now()).toISOString(),
    });
    const followed = async () => (await get(`/github-app-installations/${installation.id}/vcs-repositories`)).body.data;
    await expect.poll(followed, { timeout: 30_000 }).toMatchObject([
      {
        attributes: { identifier: 'acme/infra', 'webhook-state': 'none', 'workspace-count': 1 },
        relationships: { 'github-app-installation': { data: { id: installation.id } }, 'oauth-token': { data: null } },
      },
    ]);
    github.repositories.length = 0;
    expect((await check(server.userToken)).body.data.attributes.name).toBe('acme');

    const path = `/api/v2/organizations/acme/github-app-installations/${installation.id}`;
    expect((await server.user('DELETE', path)).status).toBe(204);
    const { attributes } = (await get(`/workspaces/${made.body.data.id}`)).body.data;
    expect(attributes['vcs-repo']['github-app-installation-id']).toBeNull();
  });

  test('that is deleted takes its installations with it', async () => {
    expect((await owner.comeBack(await signInAtGitHub())).status).toBe(200);
    expect((await get('/github-app/installations')).body.data).toHaveLength(1);
    const apps = async () => (await get('/organizations/acme/github-apps')).body.data;
    expect(await apps()).toEqual([(await get('/organizations/acme/github-app')).body.data]);
    expect((await server.user('DELETE', '/api/v2/organizations/acme/github-app')).status).toBe(204);
    expect(await apps()).toEqual([]);
    expect((await get('/github-app/installations')).body.data).toEqual([]);
    expect((await owner.post('/auth/github-app/sign-in', { organization_id: 'acme' })).status).toBe(404);
    expect((await owner.comeBack(await away())).status).toBe(200);
  });
});
