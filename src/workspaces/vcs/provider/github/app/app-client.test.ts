import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeProvider, fakeGitHub } from '../../../../../../test/support/vcs/fake-github.ts';
import { createFakeApp, type FakeApp, grantOf } from '../../../../../../test/support/vcs/github-app.ts';
import { json } from '../../../../../../test/support/vcs/misbehaviour.ts';
import { createTenantFetch } from '../../../../../outbound/tenant-fetch.ts';
import { ProviderClients } from '../../http/provider-clients.ts';
import type { Provider, ProviderHttp } from '../../port.ts';
import { findProviderKind } from '../../providers.ts';
import { githubAppProvider } from '../github.ts';
import { type GitHubApp, GitHubApps, TOKEN_PERMISSIONS } from './app-client.ts';
import { installationsOfUser } from './installation.ts';
import { appManifest, convertManifest, manifestFormUrl } from './manifest.ts';

let fake: FakeProvider;
let http: ProviderHttp;
let made: FakeApp;
let app: GitHubApp;
let now: number;
let apps: GitHubApps;
const READ = { repositoryIds: ['101'], permissions: TOKEN_PERMISSIONS.read };

beforeEach(async () => {
  fake = await fakeGitHub();
  await fake.createRepository('acme/mono');
  now = Date.now();
  const clients = new ProviderClients({ fetch: createTenantFetch(['127.0.0.1']), clock: Date.now });
  http = clients.clientOf({ id: 'app', apiUrl: fake.apiUrl, httpUrl: fake.httpUrl }, { writePauseMs: 0 });
  made = createFakeApp(fake, 'Lockkeeper');
  made.installations.push({ id: 21, login: 'acme', type: 'Organization', users: ['ada'] });
  made.installations.push({ id: 22, login: 'eve', type: 'User', users: ['eve'] });
  app = { apiUrl: fake.apiUrl, clientId: made.clientId, privateKey: made.privateKey, http };
  apps = new GitHubApps(() => now);
  fake.clock = () => now;
});

afterEach(() => fake.stop());

describe('a GitHub App', () => {
  it('finds its installations', async () => {
    const acme = {
      ...{ id: 21, name: 'acme', type: 'Organization', isSuspended: false },
      ...{ iconUrl: `${fake.httpUrl}/acme.png`, url: `${fake.httpUrl}/settings/installations/21` },
    };
    expect(await apps.installations(app, 1)).toMatchObject({ items: [acme, { id: 22, type: 'User' }], nextPage: null });
    expect(await apps.installation(app, 21)).toEqual(acme);
    expect(await apps.installation(app, 23)).toBeUndefined();
    expect((await installationsOfUser(app, fake.token)).map(({ id }) => id)).toEqual([21]);
    await expect(installationsOfUser(app, 'wrong')).rejects.toMatchObject({ kind: 'refused' });
  });

  it('is refused with another key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    await expect(apps.installation({ ...app, privateKey }, 21)).rejects.toMatchObject({ kind: 'refused' });
    for (const key of [
      '',
      'no key',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ])
      await expect(apps.installation({ ...app, privateKey: key }, 21)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('gets a token for one repository and purpose, and uses it again for 50 minutes', async () => {
    const [token, again] = await Promise.all([apps.token(app, 21, READ), apps.token(app, 21, { ...READ })]);
    expect(again).toBe(token);
    expect(grantOf(fake, token)).toEqual({
      installationId: 21,
      repositoryIds: [101],
      permissions: { contents: 'read', metadata: 'read', pull_requests: 'read' },
    });
    const others = await Promise.all([
      apps.token(app, 21, { ...READ, permissions: TOKEN_PERMISSIONS.report }),
      apps.token(app, 21, { ...READ, repositoryIds: [] }),
      apps.token(app, 22, READ),
    ]);
    expect(new Set([token, ...others]).size).toBe(4);
    now += 50 * 60_000 - 1;
    expect(await apps.token(app, 21, READ)).toBe(token);
    apps.forget(22);
    expect(await apps.token(app, 21, READ)).toBe(token);
    apps.forget(21);
    expect(await apps.token(app, 21, READ)).not.toBe(token);
  });

  it('gets a new token after 50 minutes, and after a failure', async () => {
    fake.server.misbehave = json(500, {});
    await expect(apps.token(app, 21, READ)).rejects.toMatchObject({ kind: 'unreachable' });
    fake.server.misbehave = undefined;
    const token = await apps.token(app, 21, READ);
    await expect(apps.token(app, 99, READ)).rejects.toMatchObject({ kind: 'refused' });
    now += 50 * 60_000;
    expect(await apps.token(app, 21, READ)).not.toBe(token);
  });

  it('lists the repositories of an installation, and sends check runs', async () => {
    const { reports, ...provider } = githubAppProvider as Required<Provider>;
    const token = await apps.token(app, 21, READ);
    const access = { apiUrl: fake.apiUrl, httpUrl: fake.httpUrl, http, credential: { kind: 'app', token } as const };
    expect(await provider.whoAmI(access)).toEqual({ name: 'acme', scopes: [] });
    expect(await provider.repositories(access, { search: 'mono', page: 1 })).toMatchObject({
      items: [{ providerId: '101' }],
    });
    const repository = { providerId: '101', identifier: 'acme/mono' };
    const check = { commitId: 'c1', ref: null, context: 'lockkeeper/acme', url: 'https://lockkeeper.example/' };
    const send = (checkId: string | null, state: 'running' | 'failure') =>
      reports.check?.(access, repository, { ...check, state, checkId, description: 'd', summary: 's'.repeat(70_000) });
    const id = (await send(null, 'running')) ?? '';
    expect(await send(id, 'failure')).toBe(id);
    expect(fake.checks).toMatchObject([
      { of: 'c1', body: { name: 'lockkeeper/acme', status: 'completed', conclusion: 'failure' } },
    ]);
    expect(fake.checks[0]?.body.output.summary.length).toBe(65_535);
    // An App has one hook for all repositories.
    const sent = fake.server.requests.length;
    const wanted = { url: 'https://lockkeeper.example/', secret: 's', hookId: null };
    expect(await provider.hooks.ensure(access, repository, wanted)).toBe('app');
    await provider.hooks.remove(access, repository, 'app');
    expect(fake.server.requests.length).toBe(sent);
  });

  it('has no check runs with the token of a person', () => {
    expect(findProviderKind('github', 'token')?.provider.reports?.check).toBeUndefined();
    expect(findProviderKind('gitea', 'app')).toBeUndefined();
  });

  it('is made of a manifest, whose code works once', async () => {
    const base = 'https://lockkeeper.example';
    const manifest = appManifest({
      ...{ name: 'Lockkeeper', serverUrl: base, webhookUrl: `${base}/hook`, redirectUrl: `${base}/made` },
      ...{ callbackUrl: `${base}/callback`, setupUrl: `${base}/setup` },
    });
    const form = new URLSearchParams({ manifest: JSON.stringify(manifest) });
    const url = manifestFormUrl(fake.httpUrl, 'acme', 'state-1');
    const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
    const location = new URL(response.headers.get('location') ?? '');
    expect([location.pathname, location.searchParams.get('state')]).toEqual(['/made', 'state-1']);
    const code = location.searchParams.get('code') ?? '';
    const created = await convertManifest({ apiUrl: fake.apiUrl, http }, code);
    const known = fake.apps.get(created.clientId);
    expect(created).toMatchObject({ name: 'Lockkeeper', slug: 'lockkeeper', webhookSecret: known?.hook?.secret });
    expect((await apps.installations({ ...app, ...created }, 1)).items).toEqual([]);
    for (const again of [code, '../user', ''])
      await expect(convertManifest({ apiUrl: fake.apiUrl, http }, again)).rejects.toMatchObject({ kind: 'refused' });
  });
});
