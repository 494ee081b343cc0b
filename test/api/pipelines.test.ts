import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '../../src/storage/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { type Issuer, signingKey, startIssuer } from '../support/jwt/issuer.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const REFUSED = { error: 'invalid_request', error_description: 'the subject token is not accepted for this audience' };

// As a thousand exchanges would leave them.
const fill = sql<{ id: string; team: string; hash: Uint8Array; now: number; ends: number }>(
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
   INSERT INTO authentication_token
     (id, team_id, hash, description, created_at, expires_at, purpose, only_one, pipeline_identity_id)
   SELECT 'at-' || i, :team, :hash, 'filled ' || i, :now, :ends, '', 0, :id FROM n`,
);

describe.each(databaseKinds)('pipelines that act for a team, on %s', (kind) => {
  let server: TestServer;
  let beside: TestServer;
  let issuer: Issuer;
  let stranger: Issuer;
  let team: string;

  const options = { notifications: { allowedAddresses: ['127.0.0.1'] } };
  beforeAll(async () => {
    server = await startTestServer(kind, options);
    beside = await startTestServer(kind, { ...options, beside: server });
    issuer = await startIssuer();
    stranger = await startIssuer();
    await send('POST', '/organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    team = (await send('POST', '/organizations/acme/teams', 'teams', { name: 'Deploy / prod' })).data.id;
    const access = { data: { type: 'teams', attributes: { 'organization-access': { 'manage-workspaces': true } } } };
    await server.user('PATCH', `/api/v2/teams/${team}`, access);
  });
  afterAll(async () => {
    await issuer.stop();
    await stranger.stop();
    await beside.stop();
    await server.stop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into it
  async function send(method: string, path: string, type: string, attributes: object, status = 201): Promise<any> {
    const answer = await server.user(method, `/api/v2${path}`, { data: { type, attributes } });
    expect([path, answer.status, answer.text]).toEqual([path, status, expect.anything()]);
    return answer.body;
  }
  const later = (seconds: number) => {
    for (const node of [server, beside]) node.advance(seconds);
  };
  const BOUND = { repository: 'acme/infra', ref: 'refs/heads/*' };
  const identity = async (attributes: object = {}, of = team): Promise<string> => {
    const all = { issuer: issuer.url, audiences: ['lockkeeper'], claims: BOUND, ...attributes };
    const { id } = (await send('POST', `/teams/${of}/pipeline-identities`, 'pipeline-identities', all)).data;
    onTestFinished(async () => {
      await server.user('DELETE', `/api/v2/pipeline-identities/${id}`);
    });
    return id;
  };
  const claims = (changes: object = {}) => {
    const now = Math.floor(server.now() / 1000);
    const said = { sub: 'repo:acme/infra:ref:refs/heads/main', repository: 'acme/infra', ref: 'refs/heads/main' };
    return { iss: issuer.url, aud: 'lockkeeper', iat: now, exp: now + 300, ...said, ...changes };
  };
  const form = (node: TestServer, fields: Record<string, string>) =>
    node.call('POST', '/oauth2/token', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const exchange = (token: string, changes: Record<string, string> = {}, node = server) =>
    form(node, { grant_type: GRANT, subject_token: token, subject_token_type: JWT, audience: team, ...changes });
  const explain = async (token: string) =>
    (await send('POST', `/teams/${team}/pipeline-explanation`, 'pipeline-explanations', { token }, 200)).data
      .attributes;
  const verdicts = () =>
    server.logLines().findLast(({ route }) => route === '/oauth2/token')?.verdicts as {
      check: string;
      outcome: string;
    }[];
  const refusedFor = () =>
    verdicts()
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ check }) => check);

  it('get a token of minutes that is the credential of the team, and nothing beyond', async () => {
    const id = await identity({ 'token-ttl': 600 });
    const token = await issuer.sign(claims());
    const answer = await exchange(token);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^lku\./),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 600,
    });
    const own = answer.body.access_token;
    const call = (method: string, path: string, body?: unknown) =>
      server.call(method, `/api/v2${path}`, { token: own, body });
    const workspace = { data: { type: 'workspaces', attributes: { name: 'by-pipeline' } } };
    expect((await call('POST', '/organizations/acme/workspaces', workspace)).status).toBe(201);
    // The rights of the team, which decides neither teams nor tokens.
    expect(
      (
        await call('POST', `/teams/${team}/pipeline-identities`, {
          data: { type: 'pipeline-identities', attributes: { issuer: issuer.url, audiences: ['x'], claims: BOUND } },
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await call('POST', `/teams/${team}/authentication-tokens`, {
          data: { type: 'authentication-tokens', attributes: {} },
        })
      ).status,
    ).toBe(404);
    const shown = (await server.user('GET', `/api/v2/pipeline-identities/${id}`)).body.data.attributes;
    expect(shown).toMatchObject({ issuer: issuer.url, 'token-ttl': 600, 'last-used-at': expect.any(String) });
    const listed = await server.user('GET', `/api/v2/teams/${team}/authentication-tokens`);
    expect(listed.body.data).toEqual([]);
    later(601);
    expect((await call('GET', '/organizations/acme/workspaces')).status).toBe(401);
  });

  it('are in the audit log by their team and subject, without their tokens', async () => {
    await identity();
    const token = await issuer.sign(claims());
    const { body } = await exchange(token);
    const line = server.logLines().findLast(({ route }) => route === '/oauth2/token');
    expect(line).toMatchObject({ actor_kind: 'team', actor_id: team, actor_subject: claims().sub });
    const all = JSON.stringify([...server.logLines(), ...server.auditLines()]);
    expect(all).not.toContain(token);
    expect(all).not.toContain(body.access_token);
  });

  it('name the team by its name too, and its tokens hold on every node', async () => {
    const id = await identity();
    const named = await exchange(await issuer.sign(claims()), { audience: 'acme/Deploy / prod' }, beside);
    expect(named.status).toBe(200);
    const opens = async (node: TestServer) =>
      (await node.call('GET', '/api/v2/organizations/acme/workspaces', { token: named.body.access_token })).status;
    expect([await opens(server), await opens(beside)]).toEqual([200, 200]);
    await server.user('DELETE', `/api/v2/pipeline-identities/${id}`);
    expect([await opens(server), await opens(beside)]).toEqual([401, 401]);
  });

  it.each<[string, object, string]>([
    ['of another audience', { aud: 'sts.amazonaws.com' }, 'bound_audiences'],
    ['for nobody', { aud: undefined }, 'bound_audiences'],
    ['of another repository', { repository: 'evil/infra' }, 'bound_claims repository'],
    ['of a repository that begins alike', { repository: 'acme/infra-2' }, 'bound_claims repository'],
    ['of a pull request', { ref: 'refs/pull/1/merge' }, 'bound_claims ref'],
    ['that ended', { iat: 1, exp: 2 }, 'expiration'],
    ['that is not good yet', { nbf: 4_000_000_000, exp: 4_000_000_300 }, 'not_before'],
    ['that is good for ever', { iat: undefined, exp: undefined }, 'times'],
    ['that does not say until when it is good', { exp: undefined }, 'times'],
    ['whose end is 0', { exp: 0 }, 'times'],
    ['that does not say from when it is good', { iat: undefined }, 'times'],
  ])('are refused with a token %s', async (_, changes, check) => {
    await identity();
    const token = await issuer.sign(JSON.parse(JSON.stringify(claims(changes))));
    const answer = await exchange(token);
    expect([answer.status, answer.body]).toEqual([400, REFUSED]);
    expect(refusedFor()).toContain(check);
    const told = await explain(token);
    expect(told.admitted).toBe(false);
    const [one] = told.identities;
    expect(one.verdicts.filter(({ outcome }: { outcome: string }) => outcome === 'refused')).toContainEqual(
      expect.objectContaining({ check }),
    );
  });

  it('are refused with one message, for any signer and any reason', async () => {
    await identity();
    const good = await issuer.sign(claims());
    const [head = '', body = '', signature = ''] = good.split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const secret = issuer.keys[0]?.publicPem ?? '';
    const shared = `${encoded({ alg: 'HS256', kid: 'one' })}.${body}`;
    const tokens = {
      'another hand': await stranger.sign(claims(), { key: signingKey('one') }),
      'another issuer with the same subject': await stranger.sign(claims({ iss: stranger.url })),
      'no algorithm': `${encoded({ alg: 'none' })}.${body}.${signature}`,
      'nothing signed': `${encoded({ alg: 'none' })}.${body}.`,
      'a shared secret': `${shared}.${createHmac('sha256', secret).update(shared).digest('base64url')}`,
      'other claims': `${head}.${encoded(claims({ sub: 'x' }))}.${signature}`,
      'a key that it brings': await stranger.sign(claims(), { header: { jku: stranger.jwksUrl } }),
      'a logout token': await issuer.sign(claims(), { header: { typ: 'logout+jwt' } }),
      'an issuer that nobody can be': await issuer.sign(claims({ iss: `${issuer.url}\u0000` })),
      'no token': 'x'.repeat(100),
      'three dots': '...',
      'our own token': server.userToken,
    };
    for (const [name, token] of Object.entries(tokens)) {
      const answer = await exchange(token);
      expect([name, answer.status, answer.body]).toEqual([name, 400, REFUSED]);
      expect([name, (await explain(token)).admitted]).toEqual([name, false]);
    }
    // A token with an unknown signature appears in no log line.
    await exchange(await stranger.sign(claims({ sub: 'told-by-nobody' })));
    expect(JSON.stringify(server.logLines())).not.toContain('told-by-nobody');
  });

  it('get equal errors for a team that does not exist and for one of another organization', async () => {
    await identity();
    const other = (await send('POST', '/organizations/acme/teams', 'teams', { name: 'other' })).data.id;
    const token = await issuer.sign(claims());
    for (const audience of [other, 'team-none', 'acme/none', 'none/other', '/', 'acme/', ' ', "a'/b", '\u0000/x']) {
      const { status, body } = await exchange(token, { audience });
      expect([audience, status, body.error]).toEqual([audience, 400, 'invalid_request']);
    }
    expect(other).not.toBe(team);
  });

  it.each<[string, Record<string, string>]>([
    ['subject_token', { subject_token: '' }],
    ['subject_token_type', { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }],
    ['subject_token_type', { subject_token_type: '' }],
    ['requested_token_type', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    ['actor_token', { actor_token: 'x' }],
    ['audience', { audience: '' }],
    ['grant_type', { grant_type: 'client_credentials' }],
  ])('get an error that names the wrong parameter: %s %o', async (text, changes) => {
    const { status, body } = await exchange('x', changes);
    expect([status, body.error_description]).toEqual([400, expect.stringContaining(text)]);
  });

  it('are refused for a form that is too large, or of another content type', async () => {
    expect((await exchange('x'.repeat(17_000))).status).toBe(413);
    expect((await server.call('POST', '/oauth2/token', { body: { grant_type: GRANT } })).status).toBe(400);
  });

  it('lose their tokens when the issuer or the claims of the identity change, on every node', async () => {
    const id = await identity();
    const change = (attributes: object, status = 200) =>
      send('PATCH', `/pipeline-identities/${id}`, 'pipeline-identities', attributes, status);
    const opens = async (token: string) =>
      (await beside.call('GET', '/api/v2/organizations/acme/workspaces', { token })).status;
    const { access_token: first } = (await exchange(await issuer.sign(claims()))).body;
    const told = await change({ description: 'infra', 'token-ttl': 60 });
    expect(told.data.attributes).toMatchObject({ description: 'infra', 'token-ttl': 60, issuer: issuer.url });
    expect(await opens(first)).toBe(200);
    const { attributes } = (await change({ claims: { ...BOUND, ref: 'refs/heads/release' } })).data;
    expect(attributes).toMatchObject({ claims: { ref: ['refs/heads/release'] }, audiences: ['lockkeeper'] });
    expect(await opens(first)).toBe(401);
    expect((await exchange(await issuer.sign(claims()), {}, beside)).status).toBe(400);
    const other = await exchange(await issuer.sign(claims({ ref: 'refs/heads/release' })), {}, beside);
    expect(other.body.expires_in).toBe(60);
    await change({ 'jwks-url': `${issuer.url}/keys`, description: null });
    expect(await opens(other.body.access_token)).toBe(401);
    const wrong = await change({ claims: { sub: '*' }, issuer: 'github' }, 422);
    expect(wrong.errors.map(({ source }: { source: object }) => source)).toEqual([
      { pointer: '/data/attributes/issuer' },
      { pointer: '/data/attributes/claims/sub' },
    ]);
    expect((await server.user('GET', `/api/v2/pipeline-identities/${id}`)).body.data.attributes).toMatchObject({
      ...{ description: '', 'jwks-url': issuer.jwksUrl, claims: { ref: ['refs/heads/release'] } },
    });
  });

  it('are authenticated by the first identity that matches, and get the nearest mismatch otherwise', async () => {
    await identity({ claims: { repository: 'acme/infra', ref: 'refs/heads/release', environment: 'prod' } });
    await identity({ claims: { repository: ['acme/infra', 'acme/other'], ref: 'refs/tags/*' }, 'token-ttl': 120 });
    expect((await exchange(await issuer.sign(claims({ ref: 'refs/tags/v1' })))).body.expires_in).toBe(120);
    await exchange(await issuer.sign(claims()));
    expect(refusedFor()).toEqual(['bound_claims ref']);
    const told = await explain(await issuer.sign(claims()));
    expect(told.identities).toMatchObject([{ admitted: false }, { admitted: false }]);
    expect(told.claims).toMatchObject({ repository: 'acme/infra' });
  });

  it('go on while their issuer changes its keys, and are refused while these cannot be had', async () => {
    await identity({ 'jwks-url': issuer.jwksUrl });
    expect((await exchange(await issuer.sign(claims()))).status).toBe(200);
    issuer.keys = [signingKey('two')];
    later(11);
    expect((await exchange(await issuer.sign(claims()))).status).toBe(200);
    later(25 * 3600);
    issuer.answer = (_path, response) => void response.end('x'.repeat(300_000));
    onTestFinished(() => {
      issuer.answer = undefined;
    });
    const { status, body } = await exchange(await issuer.sign(claims()));
    expect([status, body]).toEqual([400, REFUSED]);
    expect(verdicts()).toContainEqual(
      expect.objectContaining({ check: 'signature', actual: expect.stringContaining('cannot be fetched') }),
    );
    const asked = issuer.asked.length;
    await Promise.all(Array.from({ length: 30 }, async () => exchange(await stranger.sign(claims()))));
    expect(issuer.asked.length).toBe(asked);
  });

  it('have a maximum number of tokens at a time', async () => {
    const id = await identity({ 'token-ttl': 60 });
    const token = await issuer.sign(claims());
    await server.application.databases.workspaces.run(fill, {
      id,
      team,
      hash: new Uint8Array(32),
      now: server.now(),
      ends: server.now() + 60_000,
    });
    const answer = await exchange(token);
    expect([answer.status, answer.body.error]).toEqual([429, 'slow_down']);
    later(61 + 600);
    expect((await exchange(await issuer.sign(claims()))).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['an issuer that is no address', { issuer: 'github' }, '/data/attributes/issuer'],
    ['an issuer with a password', { issuer: 'https://a:b@example.com' }, '/data/attributes/issuer'],
    ['keys at no address', { 'jwks-url': 'file:///etc/passwd' }, '/data/attributes/jwks-url'],
    ['no audience', { audiences: [] }, '/data/attributes/audiences'],
    ['no claims', { claims: {} }, '/data/attributes/claims'],
    ['claims that are a list', { claims: ['x'] }, '/data/attributes/claims'],
    ['a claim of anything', { claims: { sub: '**' } }, '/data/attributes/claims/sub'],
    ['a claim of nothing', { claims: { sub: [] } }, '/data/attributes/claims/sub'],
    ['a claim with parts', { claims: { sub: { a: 1 } } }, '/data/attributes/claims/sub'],
    ['the audience as a claim', { claims: { aud: 'x' } }, '/data/attributes/claims/aud'],
    ['a life of a day', { 'token-ttl': 86_400 }, '/data/attributes/token-ttl'],
  ])('are not described by %s', async (_, changes, pointer) => {
    const attributes = { issuer: issuer.url, audiences: ['a'], claims: BOUND, ...changes };
    const body = { data: { type: 'pipeline-identities', attributes } };
    const answer = await server.user('POST', `/api/v2/teams/${team}/pipeline-identities`, body);
    expect([answer.status, answer.body.errors[0].source.pointer]).toEqual([422, pointer]);
  });
});
