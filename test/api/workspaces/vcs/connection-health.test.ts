import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FileBlobs, sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { type FakeProvider, fakeGitea, fakeGitHub } from '../../../support/vcs/fake-github.ts';
import { broken, huge, json, page, redirect, silent } from '../../../support/vcs/misbehaviour.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const HOUR = 3_600_000;
const forget = sql<{ id: string }>(
  `UPDATE oauth_token SET status = 'unverified', due_at = NULL, checked_at = NULL WHERE id = :id`,
);
const expire = sql<{ id: string; expiresAt: number; refresh: Uint8Array; token: Uint8Array }>(
  `UPDATE oauth_token SET kind = 'oauth', expires_at = :expiresAt, refresh_token = :refresh, token = :token WHERE id = :id`,
);

describe.each(databaseKinds)('health of VCS connections on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let github: FakeProvider;
  let gitea: FakeProvider;
  beforeAll(async () => {
    [github, gitea] = [await fakeGitHub(), await fakeGitea()];
    api = await startApi(kind, FileBlobs, {}, 'none', undefined, { allowedAddresses: ['127.0.0.1'] });
    acme = await newOrganization(api);
  });
  afterEach(() => {
    github.server.misbehave = undefined;
    gitea.server.misbehave = undefined;
  });
  afterAll(async () => {
    await api.close();
    await github.stop();
    await gitea.stop();
  });

  const path = () => `/organizations/${acme.name}/oauth-clients`;
  const body = (attributes: object) => ({ data: { type: 'oauth-clients', attributes } });
  const at = (provider: FakeProvider, attributes: object = {}) => ({
    'service-provider': provider.flavour,
    'http-url': provider.httpUrl,
    'api-url': provider.apiUrl,
    'oauth-token-string': provider.token,
    ...attributes,
  });
  async function create(attributes: object) {
    const made = await acme.owner.call('POST', path(), body(attributes));
    expect(made.status, made.text).toBe(201);
    return made.body.data;
  }
  const tokenIn = (client: { relationships: Record<string, { data: { id: string }[] }> }) =>
    client.relationships['oauth-tokens']?.data[0]?.id ?? '';
  const shown = async (id: string) => (await acme.owner.call('GET', `/oauth-clients/${id}`)).body.data.attributes;
  const patch = (id: string, attributes: object) => acme.owner.call('PATCH', `/oauth-clients/${id}`, body(attributes));
  const check = (id: string) => acme.owner.call('POST', `/oauth-clients/${id}/actions/check`);
  async function workOff(on: Pick<TestApi, 'workspaces'> = api) {
    // An organization has only some checks at a time.
    for (let round = 0; round < 10; round++) {
      for (const loop of on.workspaces.vcs.connectionChecks) {
        await loop.begin();
        await loop.settled();
      }
    }
  }

  test('a new connection is stored without a request, and checked soon after: account, scopes, next check', async () => {
    github.server.requests.length = 0;
    const client = await create(at(github));
    expect(client.attributes).toMatchObject({ 'connection-status': 'unverified', 'connection-checked-at': null });
    expect(github.server.requests).toEqual([]);
    await workOff();
    const now = new Date(api.now()).toISOString();
    expect(await shown(client.id)).toMatchObject({
      'connection-status': 'ok',
      'connection-status-reason': null,
      'connection-status-since': now,
      'connection-checked-at': now,
    });
    const token = (await acme.owner.call('GET', `/oauth-tokens/${tokenIn(client)}`)).body.data.attributes;
    expect(token).toMatchObject({
      'service-provider-user': 'ada',
      'expires-at': null,
      scopes: ['repo', 'read:org'],
      'excess-scopes': [],
    });
    expect(github.server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${github.token}`]);
    github.server.requests.length = 0;
    api.advance(HOUR - 1000);
    await workOff();
    expect(github.server.requests).toEqual([]);
    github.server.misbehave = json(200, { login: 'ada' }, { 'x-oauth-scopes': 'repo, admin:org, delete_repo' });
    api.advance(1000);
    await workOff();
    const again = (await acme.owner.call('GET', `/oauth-tokens/${tokenIn(client)}`)).body.data.attributes;
    expect(again['excess-scopes']).toEqual(['admin:org', 'delete_repo']);
    expect((await shown(client.id))['connection-status-since']).toBe(now);
  });

  test('a token that the provider refuses is a status with its reason, and another token is checked at once', async () => {
    const client = await create(at(github, { 'oauth-token-string': 'ghp_dummy' }));
    await workOff();
    expect(await shown(client.id)).toMatchObject({
      'connection-status': 'refused',
      'connection-status-reason': expect.stringContaining('401'),
    });
    expect(JSON.stringify(await shown(client.id))).not.toContain('ghp_dummy');
    expect((await patch(client.id, { 'oauth-token-string': github.token })).status).toBe(200);
    await workOff();
    expect((await shown(client.id))['connection-status']).toBe('ok');
  });

  test.each([
    ['answers with a web page', page(), 'web page instead of JSON'],
    ['sends 10 MB', huge(10_000_000), 'more than 2097152 bytes'],
    ['closes the connection', broken, 'cannot be reached'],
    ['has a fault', json(502, {}), 'status 502'],
    ['redirects inside', redirect('http://169.254.169.254/latest/meta-data'), 'redirect'],
  ])('a provider that %s is unreachable, and is asked again', async (_what, misbehaviour, reason) => {
    const client = await create(at(gitea));
    gitea.server.misbehave = misbehaviour;
    await workOff();
    expect(await shown(client.id)).toMatchObject({
      'connection-status': 'unreachable',
      'connection-status-reason': expect.stringContaining(reason),
    });
    gitea.server.misbehave = undefined;
    api.advance(HOUR);
    await workOff();
    expect((await shown(client.id))['connection-status']).toBe('ok');
  });

  test('a provider that does not answer is given up after ten seconds, and delays no answer of ours', async () => {
    gitea.server.misbehave = silent;
    const client = await create(at(gitea));
    await workOff();
    expect((await shown(client.id))['connection-status-reason']).toContain('did not answer within 10 seconds');
  }, 30_000);

  test.each([
    ['http://127.0.0.2:80', 'vcs.allowed_addresses'],
    ['http://169.254.169.254', 'vcs.allowed_addresses'],
    ['https://localhost', 'vcs.allowed_addresses'],
    ['https://10.0.0.1', 'vcs.allowed_addresses'],
    ['https://inside.example.com', 'vcs.allowed_addresses'],
  ])('a connection to %s leads inside, so it is not contacted', async (url, reason) => {
    const names = async () => [{ address: '10.1.2.3' }];
    const inside = await startApi(kind, FileBlobs, {}, 'none', undefined, {
      allowedAddresses: ['127.0.0.1'],
      ...(url.includes('example.com') && { resolve: names }),
    });
    try {
      const other = await newOrganization(inside);
      const attributes = { 'service-provider': 'gitea', 'http-url': url, 'api-url': url, 'oauth-token-string': 't' };
      const made = await other.owner.call('POST', `/organizations/${other.name}/oauth-clients`, body(attributes));
      await workOff(inside);
      const found = (await other.owner.call('GET', `/oauth-clients/${made.body.data.id}`)).body.data.attributes;
      expect(found).toMatchObject({
        'connection-status': 'unreachable',
        'connection-status-reason': expect.stringContaining(reason),
      });
      expect(found['connection-status-reason']).not.toContain('10.1.2.3');
    } finally {
      await inside.close();
    }
  });

  test('a connection of an earlier version stays unverified until a user checks it', async () => {
    const client = await create(at(github));
    await api.workspaces.database.run(forget, { id: tokenIn(client) });
    github.server.requests.length = 0;
    api.advance(24 * HOUR);
    await workOff();
    expect((await shown(client.id))['connection-status']).toBe('unverified');
    const checked = await check(client.id);
    expect(checked.status, checked.text).toBe(200);
    expect(checked.body.data.attributes['connection-status']).toBe('ok');
    github.server.misbehave = json(401, { message: 'Bad credentials' });
    expect((await check(client.id)).body.data.attributes['connection-status']).toBe('refused');
    const without = await create({ ...at(github), 'oauth-token-string': null, key: 'k', secret: 's' });
    expect((await check(without.id)).status).toBe(422);
    expect((await api.nobody().call('POST', `/oauth-clients/${client.id}/actions/check`)).status).toBe(401);
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('POST', `/oauth-clients/${client.id}/actions/check`)).status).toBe(404);
  });

  describe('a token that expires', () => {
    /** Gives a connection a token that ends, as a sign-in at the provider does. */
    async function expiring(seconds: number) {
      const client = await create(at(gitea, { key: gitea.oauth.clientId, secret: gitea.oauth.clientSecret }));
      const id = tokenIn(client);
      gitea.refreshTokens.set(`refresh-${id}`, 'ada');
      const { keyring } = api;
      await api.workspaces.database.run(expire, {
        ...{ id, expiresAt: api.now() + seconds * 1000 },
        refresh: keyring.encrypt(Buffer.from(`refresh-${id}`), `oauth-token-refresh/${id}`),
        token: keyring.encrypt(Buffer.from(gitea.token), `oauth-token/${id}`),
      });
      return { client, id };
    }
    const access = async (on: Pick<TestApi, 'workspaces'>, id: string) => {
      const { connections } = on.workspaces.vcs;
      const connection = await connections.find(on.workspaces.database, id);
      if (connection === undefined) throw new Error('no such connection');
      return (await connections.access(connection)).credential.token;
    };
    const refreshes = () => gitea.server.requests.filter(({ path: at }) => at === '/login/oauth/access_token').length;

    test('is refreshed in the background before its end', async () => {
      const { id, client } = await expiring(7200);
      await workOff();
      gitea.server.requests.length = 0;
      api.advance(HOUR);
      await workOff();
      expect(refreshes()).toBe(0);
      api.advance(HOUR - 4 * 60_000);
      await workOff();
      expect(refreshes()).toBe(1);
      const token = (await acme.owner.call('GET', `/oauth-tokens/${id}`)).body.data.attributes;
      expect(Date.parse(token['expires-at'])).toBe(api.now() + 3_600_000);
      expect(await access(api, id)).toMatch(/^access-/);
      expect((await shown(client.id))['connection-status']).toBe('ok');
    });

    test('is refreshed once, however many processes need it at the same moment', async () => {
      const { id } = await expiring(10);
      gitea.server.requests.length = 0;
      const other = { workspaces: api.anotherProcess() };
      const tokens = await Promise.all([api, other, api, other, api, other].map((node) => access(node, id)));
      expect(new Set(tokens).size).toBe(1);
      expect(tokens[0]).toMatch(/^access-/);
      expect(refreshes()).toBe(1);
    });

    test('whose refresh is refused is the status of the connection, and a new sign-in or token repairs it', async () => {
      const { id, client } = await expiring(60);
      gitea.refreshTokens.clear();
      await expect(access(api, id)).rejects.toMatchObject({ kind: 'refused' });
      expect(await shown(client.id)).toMatchObject({
        'connection-status': 'refused',
        'connection-status-reason': expect.stringContaining('cannot be refreshed'),
      });
      await patch(client.id, { 'oauth-token-string': gitea.token });
      expect(await access(api, id)).toBe(gitea.token);
      await workOff();
      expect((await shown(client.id))['connection-status']).toBe('ok');
    });

    test('is used to its end while the provider cannot be reached', async () => {
      const { id } = await expiring(60);
      gitea.server.misbehave = json(503, {});
      expect(await access(api, id)).toBe(gitea.token);
      api.advance(61_000);
      await expect(access(api, id)).rejects.toMatchObject({ kind: 'unreachable' });
      gitea.server.misbehave = undefined;
      expect(await access(api, id)).toMatch(/^access-/);
    });
  });

  test('the URLs change with the token sent again, if the server there has the same repositories', async () => {
    const repository = await gitea.createRepository('acme/infra');
    const client = await create(at(gitea));
    await workOff();
    const moved = { 'api-url': `${gitea.apiUrl}/`, 'http-url': `${gitea.httpUrl}/` };
    const refused = await patch(client.id, moved);
    expect([refused.status, issuesOf(refused)], refused.text).toEqual([
      422,
      [expect.stringContaining('/data/attributes/oauth-token-string')],
    ]);
    expect((await patch(client.id, { ...moved, 'oauth-token-string': gitea.token })).status).toBe(200);
    expect(await shown(client.id)).toMatchObject(moved);
    const { connections } = api.workspaces.vcs;
    const organizationId = (await connections.find(api.workspaces.database, tokenIn(client)))?.organizationId ?? '';
    await api.workspaces.database.run(follow, {
      ...{ id: `vr-${client.id}`, organizationId, tokenId: tokenIn(client), now: api.now() },
      ...{ providerId: String(repository.id), identifier: 'acme/infra' },
    });
    const same = { ...moved, 'api-url': gitea.apiUrl, 'oauth-token-string': gitea.token };
    expect((await patch(client.id, same)).status).toBe(200);
    repository.fullName = 'other/thing';
    const other = await patch(client.id, { ...moved, 'oauth-token-string': gitea.token });
    expect([other.status, issuesOf(other)]).toEqual([422, [expect.stringContaining('does not have the repository')]]);
    const away = await patch(client.id, { 'api-url': 'https://10.0.0.9', 'oauth-token-string': 't' });
    expect([away.status, issuesOf(away)]).toEqual([422, [expect.stringContaining('cannot be checked')]]);
    expect((await patch(client.id, { 'api-url': 'ftp://x', 'oauth-token-string': 't' })).status).toBe(422);
    expect((await patch(client.id, { 'api-url': 'https://u:p@x.example', 'oauth-token-string': 't' })).status).toBe(
      422,
    );
    expect((await shown(client.id))['api-url']).toBe(gitea.apiUrl);
  });

  test('allowed repositories are identifiers and patterns', async () => {
    const client = await create(at(gitea, { 'allowed-repositories': ['acme/*', 'group/**'] }));
    expect(client.attributes['allowed-repositories']).toEqual(['acme/*', 'group/**']);
    for (const pattern of ['', '/', 'a//b', 'a/**/b', '**a', 'a/'])
      expect((await patch(client.id, { 'allowed-repositories': [pattern] })).status, pattern).toBe(422);
    expect((await patch(client.id, { 'allowed-repositories': null })).body.data.attributes).toMatchObject({
      'allowed-repositories': [],
    });
  });

  test('a plain Git server needs no token, and workspaces refer to the connection all the same', async () => {
    const client = await create({ ...at(gitea), 'service-provider': 'git', 'oauth-token-string': null });
    expect(tokenIn(client)).toMatch(/^ot-/);
    expect(client.attributes).toMatchObject({ 'callback-url': null, 'connect-path': null });
  });
});

const follow = sql<{
  id: string;
  organizationId: string;
  tokenId: string;
  providerId: string;
  identifier: string;
  now: number;
}>(
  `INSERT INTO vcs_repository (id, organization_id, connection_id, oauth_token_id, provider_id, identifier,
     display_identifier, http_url, git_url, is_private, health, health_since, created_at, described_at, target)
   VALUES (:id, :organizationId, :tokenId, :tokenId, :providerId, :identifier, :identifier, '', '', 1, 'ok', :now, :now,
     :now, '')`,
);
