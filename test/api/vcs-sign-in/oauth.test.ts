import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { type FakeProvider, fakeGitea } from '../../support/vcs/fake-github.ts';
import { json } from '../../support/vcs/misbehaviour.ts';
import { atProvider, Browser, formIn, refreshIn } from './browser.ts';

describe.each(databaseKinds)('sign-in at a VCS provider on %s', (kind) => {
  let server: TestServer;
  let gitea: FakeProvider;
  let owner: Browser;
  let strangerToken: string;

  beforeAll(async () => {
    gitea = await fakeGitea();
    server = await startTestServer(kind, {
      services: ['access', 'workspaces', 'console'],
      vcs: { allowedAddresses: ['127.0.0.1'] },
    });
    for (const name of ['acme', 'other']) {
      const organization = { type: 'organizations', attributes: { name, email: 'a@example.com' } };
      await server.user('POST', '/api/v2/organizations', { data: organization });
    }
    owner = await Browser.open(server, server.userToken);
    const { tenancy } = server.application.workspaces;
    const { id } = await tenancy.users.create({ username: 'stranger', email: 'stranger@example.com' });
    strangerToken = (await tenancy.tokens.issue(id, { description: '', expiresAt: null })).text;
  });
  afterAll(async () => {
    await server.stop();
    await gitea.stop();
  });

  async function connection(attributes: object = {}) {
    const made = await server.user('POST', '/api/v2/organizations/acme/oauth-clients', {
      data: {
        type: 'oauth-clients',
        attributes: {
          ...{ 'service-provider': 'gitea', 'http-url': gitea.httpUrl, 'api-url': gitea.apiUrl },
          ...{ key: gitea.oauth.clientId, secret: gitea.oauth.clientSecret },
          ...attributes,
        },
      },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.data as { id: string; attributes: Record<string, string> };
  }
  const shown = async (id: string) => (await server.user('GET', `/api/v2/oauth-clients/${id}`)).body.data;
  const tokenOf = async (id: string) => {
    const { data } = (await server.user('GET', `/api/v2/oauth-clients/${id}/oauth-tokens`)).body;
    return data[0] as { id: string; attributes: Record<string, string> } | undefined;
  };
  /** Goes to the provider and back, without the last step. */
  async function away(client: { attributes: Record<string, string> }, browser = owner): Promise<string> {
    const page = await browser.get(client.attributes['connect-path'] ?? '');
    expect(page.text).toContain('Continue to Gitea');
    const { action, fields } = formIn(page.text);
    const onward = await browser.post(action, fields);
    const to = refreshIn(onward.text);
    expect(new URL(to).searchParams.get('redirect_uri')).toBe(client.attributes['callback-url']);
    expect(new URL(to).searchParams.get('code_challenge_method')).toBe('S256');
    return atProvider(to);
  }

  test('gives the connection its token, which keeps its id when a user signs in again', async () => {
    const client = await connection();
    expect(await tokenOf(client.id)).toBeUndefined();
    const back = await away(client);
    const done = await owner.comeBack(back);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('works')]);
    const token = await tokenOf(client.id);
    expect(token?.attributes).toMatchObject({ 'service-provider-user': 'ada' });
    expect(Date.parse(token?.attributes['expires-at'] ?? '')).toBe(server.now() + 3_600_000);
    expect((await shown(client.id)).attributes['connection-status']).toBe('ok');
    expect((await owner.comeBack(await away(client))).status).toBe(200);
    expect((await tokenOf(client.id))?.id).toBe(token?.id);
    const text = JSON.stringify([server.logLines(), server.auditLines()]);
    for (const secret of [new URL(back).searchParams.get('code'), new URL(back).searchParams.get('state')])
      expect(text).not.toContain(secret);
    expect(text).not.toContain('access-');
  });

  test('a state is good for its session, its connection and ten minutes, and once', async () => {
    const [client, second] = [await connection(), await connection()];
    const back = await away(client);
    const stranger = await Browser.open(server, strangerToken);
    const again = await Browser.open(server, server.userToken);
    const elsewhere = back.replace(client.attributes.uuid ?? '', second.attributes.uuid ?? '');
    for (const [what, answer] of [
      ['another user', await stranger.comeBack(back)],
      ['another session of the user', await again.comeBack(back)],
      ['no session', await (await Browser.open(server)).comeBack(back)],
    ] as const)
      expect([what, answer.text.includes('works')]).toEqual([what, false]);
    expect(await tokenOf(client.id)).toBeUndefined();
    expect((await owner.comeBack(back)).status).toBe(200);
    expect((await owner.comeBack(back)).status).toBe(403);

    const third = await away(client);
    server.advance(601);
    expect((await owner.comeBack(third)).status).toBe(403);

    const fourth = await away(client);
    expect(
      (await owner.comeBack(elsewhere.replace(/state=[^&]*/, fourth.match(/state=[^&]*/)?.[0] ?? ''))).status,
    ).toBe(403);
    expect(await tokenOf(second.id)).toBeUndefined();
    // The state was spent on the wrong address.
    expect((await owner.comeBack(fourth)).status).toBe(403);
  });

  test('a callback that nobody started, a forged code and a refusal change nothing', async () => {
    const client = await connection();
    const forged = (query: string) => owner.comeBack(`${client.attributes['callback-url']}?${query}`);
    expect((await forged('code=stolen&state=guessed')).status).toBe(403);
    expect((await forged('')).status).toBe(403);
    expect((await forged(`code=x&state=${'s'.repeat(10_000)}`)).status).toBe(403);
    const back = new URL(await away(client));
    back.searchParams.set('code', 'stolen');
    const wrong = await owner.comeBack(back.href);
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('bad_verification_code')]);
    const refused = new URL(await away(client));
    refused.searchParams.delete('code');
    refused.searchParams.set('error', 'access_denied');
    refused.searchParams.set('error_description', '<script>alert(1)</script>');
    const answer = await owner.comeBack(refused.href);
    expect([answer.status, answer.text.includes('<script>')]).toEqual([403, false]);
    expect(await tokenOf(client.id)).toBeUndefined();
  });

  test('the form of another site, a user without permission and a connection without an application get nowhere', async () => {
    const client = await connection();
    const form = { organization_id: 'acme' };
    const path = `/auth/${client.attributes.uuid}`;
    expect((await owner.post(path, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const stranger = await Browser.open(server, strangerToken);
    expect((await stranger.get(client.attributes['connect-path'] ?? '')).status).toBe(404);
    expect((await stranger.post(path, form)).status).toBe(404);
    expect((await owner.get(`${path}?organization_id=other`)).status).toBe(404);
    expect((await owner.get(`${path}?organization_id=nowhere`)).status).toBe(404);
    expect((await (await Browser.open(server)).get(client.attributes['connect-path'] ?? '')).text).toContain(
      'Sign in first',
    );
    const without = await connection({ key: null, secret: null, 'oauth-token-string': gitea.token });
    expect((await owner.post(`/auth/${without.attributes.uuid}`, form)).status).toBe(422);
  });

  test('a provider that fails is named on the page, and the sign-in is repeated from the start', async () => {
    const client = await connection();
    const back = await away(client);
    gitea.server.misbehave = json(503, {});
    const failed = await owner.comeBack(back);
    gitea.server.misbehave = undefined;
    expect([failed.status, failed.text]).toEqual([403, expect.stringContaining('status 503')]);
    expect(await tokenOf(client.id)).toBeUndefined();
    expect((await owner.comeBack(await away(client))).status).toBe(200);
  });
});
