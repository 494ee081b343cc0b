import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const HOUR = 3600;
const POLICIES = {
  maker: `path "auth/token/create*" { capabilities = ["update"] }`,
  boss: `path "auth/token/*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }`,
  other: `path "secret/*" { capabilities = ["read"] }`,
};

describe.each(databaseKinds)('creating tokens, on %s', (kind) => {
  let server: TestServer;

  const create = (token: string, body: unknown = {}, path = 'create') =>
    server.call('POST', `/v1/auth/token/${path}`, { token, body });
  const made = async (body: unknown, token = server.rootToken, path?: string): Promise<string> => {
    const answer = await create(token, body, path);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.auth.client_token;
  };
  const lookup = async (token: string) =>
    (await server.root('POST', '/v1/auth/token/lookup', { token })).body.data as Record<string, unknown>;
  const status = async (token: string) => (await server.call('GET', '/v1/auth/token/lookup-self', { token })).status;
  const refused = (text: string) => ({ status: 400, body: { errors: [text] } });
  const warnings = ({ body }: Answer): string[] => body.warnings;

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const [name, policy] of Object.entries(POLICIES)) {
      expect((await server.root('PUT', `/v1/sys/policies/acl/${name}`, { policy })).status).toBeLessThan(300);
    }
  });
  afterAll(() => server.stop());

  it('returns the requested properties', async () => {
    const body = {
      policies: 'Maker, other',
      meta: { user: 'armon', port: 8200 },
      ttl: '1h',
      explicit_max_ttl: '2h',
      display_name: 'my app!',
      num_uses: 5,
      renewable: false,
    };
    const answer = await create(server.rootToken, body);
    expect(answer.status).toBe(200);
    const { client_token: token, accessor } = answer.body.auth;
    expect(answer.body).toMatchObject({ data: null, warnings: null, wrap_info: null });
    expect(answer.body.auth).toMatchObject({
      policies: ['default', 'maker', 'other'],
      token_policies: ['default', 'maker', 'other'],
      metadata: { user: 'armon', port: '8200' },
      lease_duration: HOUR,
      renewable: false,
      token_type: 'service',
      orphan: false,
      entity_id: '',
      num_uses: 5,
    });
    expect(await lookup(token)).toMatchObject({
      id: token,
      accessor,
      path: 'auth/token/create',
      display_name: 'token-my-app',
      meta: { user: 'armon', port: '8200' },
      ttl: HOUR,
      explicit_max_ttl: 2 * HOUR,
      num_uses: 5,
      orphan: false,
      renewable: false,
      type: 'service',
    });
  });

  it('inherits from the parent by default', async () => {
    const parent = await made({ policies: 'maker', no_default_policy: true });
    const { auth } = (await create(parent)).body;
    expect(auth).toMatchObject({ policies: ['maker'], lease_duration: 768 * HOUR, renewable: true, metadata: null });
    expect(await lookup(auth.client_token)).toMatchObject({ meta: null, display_name: 'token' });
  });

  it('takes the old name of the ttl, and the way without a body', async () => {
    expect((await create(server.rootToken, { policies: 'other', lease: '90s' })).body.auth.lease_duration).toBe(90);
    expect((await server.call('PUT', '/v1/auth/token/create', { token: server.rootToken })).status).toBe(200);
  });

  it('warns of missing policies and shortened TTLs', async () => {
    const answer = await create(server.rootToken, {
      policies: ['nobody', 'other'],
      ttl: '30m',
      explicit_max_ttl: '5m',
    });
    expect(answer.body.auth.lease_duration).toBe(300);
    expect(warnings(answer)).toEqual([
      'TTL of "30m" exceeded the effective max_ttl of "5m"; TTL value is capped accordingly',
      'Policy "nobody" does not exist',
    ]);
  });

  it('gives no policy that the parent does not have', async () => {
    const parent = await made({ policies: 'maker' });
    for (const policies of ['other', ['maker', 'other'], ' BOSS', ['root'], 'Root', ' root ', ['ROOT', 'maker']]) {
      expect(await create(parent, { policies })).toMatchObject(refused('child policies must be subset of parent'));
    }
    const child = (await create(parent, { policies: [' Maker', 'MAKER'] })).body.auth;
    expect(child.policies).toEqual(['default', 'maker']);
    expect((await create(parent, { policies: 'maker', no_default_policy: true })).body.auth.policies).toEqual([
      'maker',
    ]);
    const bare = await made({ policies: 'maker', no_default_policy: true });
    expect(await create(bare, { policies: 'default' })).toMatchObject(
      refused('child policies must be subset of parent'),
    );
  });

  it('gives any policy except root to callers with sudo', async () => {
    const boss = await made({ policies: 'boss' });
    expect((await create(boss, { policies: 'other' })).body.auth.policies).toEqual(['default', 'other']);
    const noRoot = refused('root tokens may not be created without parent token being root');
    for (const policies of ['root', 'Root', ' root', ['other', 'rOOt ']]) {
      expect(await create(boss, { policies })).toMatchObject(noRoot);
      expect(await create(boss, { policies }, 'create-orphan')).toMatchObject(noRoot);
    }
    for (const policies of ['response-wrapping', 'Response-Wrapping ']) {
      expect(await create(server.rootToken, { policies })).toMatchObject(
        refused('cannot assign policy "response-wrapping"'),
      );
    }
  });

  it('requires sudo for some properties', async () => {
    const parent = await made({ policies: 'maker' });
    const needed = (what: string) => refused(`root or sudo privileges required to ${what}`);
    expect(await create(parent, { no_parent: true })).toMatchObject(needed('create orphan token'));
    expect(await create(parent, { id: 'chosen' })).toMatchObject(needed('specify token id'));
    expect(await create(parent, { period: '1h' })).toMatchObject(needed('create periodic token'));
    expect(await create(parent, { period: 0, no_parent: false, id: '' })).toMatchObject({ status: 200 });
    const boss = await made({ policies: 'boss' });
    const all = await made({ no_parent: true, id: `chosen-${kind}`, period: '1h' }, boss);
    expect(all).toBe(`chosen-${kind}`);
    expect(await lookup(all)).toMatchObject({ orphan: true, period: HOUR, ttl: HOUR, policies: ['boss', 'default'] });
  });

  it('makes orphans where that is allowed by path', async () => {
    const parent = await made({ policies: 'maker' });
    const answer = await create(parent, {}, 'create-orphan');
    expect(answer.body.auth).toMatchObject({ orphan: true, policies: ['default', 'maker'] });
    expect(await lookup(answer.body.auth.client_token)).toMatchObject({ path: 'auth/token/create-orphan' });
    const bound = await made({ policies: 'other' });
    expect((await create(bound, {}, 'create-orphan')).status).toBe(403);
    expect((await create(bound)).status).toBe(403);
  });

  it('takes a chosen text once, and none in the form of ours', async () => {
    const id = `my-own-token-${kind}`;
    expect(await made({ id, policies: 'other' })).toBe(id);
    expect(await create(server.rootToken, { id })).toMatchObject(refused('cannot create a token with a duplicate ID'));
    expect(await status(id)).toBe(200);
    const ours = await made({ policies: 'other' });
    for (const wrong of [ours, 'lkb.AAAA', 'a.b']) {
      expect(await create(server.rootToken, { id: wrong })).toMatchObject(
        refused("custom token ID cannot have the '.' in the value"),
      );
    }
    for (const wrong of ['a b', 'ä', 'x'.repeat(513), 'a\r\nb']) {
      expect((await create(server.rootToken, { id: wrong })).body.errors[0]).toMatch('printable characters');
    }
  });

  it('makes root tokens of root tokens, with an end or without', async () => {
    const endless = await made({ policies: 'root' });
    expect(await lookup(endless)).toMatchObject({ ttl: 0, expire_time: null, policies: ['root'] });
    expect(await lookup(endless)).not.toHaveProperty('renewable');
    const inherited = await made({}, endless);
    expect(await lookup(inherited)).toMatchObject({ ttl: 0, policies: ['root'] });
    const ending = await made({ ttl: '1h' });
    expect(await lookup(ending)).toMatchObject({ ttl: HOUR, policies: ['root'], renewable: true });
    expect(await create(ending)).toMatchObject(refused('expiring root tokens cannot create non-expiring root tokens'));
    expect((await create(ending, { ttl: '30m' })).status).toBe(200);
    expect((await create(ending, { policies: 'other' })).body.auth.lease_duration).toBe(768 * HOUR);
    expect(await create(server.rootToken, { type: 'batch' })).toMatchObject(
      refused('batch tokens cannot be root tokens'),
    );
    server.advance(HOUR);
    expect([await status(ending), await status(endless)]).toEqual([403, 200]);
    server.advance(-HOUR);
  });

  it('makes batch tokens that can do little', async () => {
    const parent = await made({ policies: 'maker' });
    const answer = await create(parent, { type: 'batch', ttl: '1h', meta: { a: 'b' } });
    const { client_token: batch, ...auth } = answer.body.auth;
    expect(auth).toMatchObject({
      token_type: 'batch',
      accessor: '',
      renewable: false,
      orphan: false,
      lease_duration: HOUR,
      policies: ['default', 'maker'],
      metadata: { a: 'b' },
    });
    expect(await lookup(batch)).toMatchObject({ type: 'batch', ttl: HOUR, path: 'auth/token/create' });
    expect(await create(batch)).toMatchObject(refused('batch tokens cannot create more tokens'));
    for (const field of ['explicit_max_ttl', 'num_uses', 'period']) {
      const wrong = { type: 'batch', policies: 'other', [field]: 10 };
      expect(await create(server.rootToken, wrong)).toMatchObject(refused(`batch tokens cannot have "${field}" set`));
    }
    expect(await create(parent, { type: 'wax' })).toMatchObject(refused("invalid 'token_type' value"));
    const long = {
      type: 'batch',
      meta: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'v'.repeat(500)])),
    };
    expect(await create(parent, long)).toMatchObject(
      refused('the data of the batch token is too large: shorten its metadata, policies or names'),
    );
    await server.root('POST', '/v1/auth/token/revoke', { token: parent });
    expect(await status(batch)).toBe(403);
  });

  it('creates no token for a token with limited uses', async () => {
    const parent = await made({ policies: 'maker', num_uses: 10 });
    expect(await create(parent)).toMatchObject(refused('restricted use token cannot generate child tokens'));
  });

  it('refuses invalid requests without side effects', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ ttl: -1 }, 'ttl must be positive'],
      [{ ttl: '-1h' }, 'ttl must be positive'],
      [{ period: -5 }, 'period must be positive'],
      [{ explicit_max_ttl: '-5s' }, 'explicit_max_ttl must be positive'],
      [{ num_uses: -1 }, 'number of uses cannot be negative'],
      [{ entity_alias: 'x' }, "'entity_alias' is only allowed in combination with token role"],
      [{ policies: Array.from({ length: 1001 }, (_, i) => `p${i}`) }, 'a token can have at most 1000 policies'],
    ];
    for (const [body, text] of cases) expect(await create(server.rootToken, body)).toMatchObject(refused(text));
    for (const body of [
      { meta: 'hunter2' },
      { meta: { a: ['hunter2'] } },
      { ttl: 'hunter2' },
      { policies: { a: 'hunter2' } },
    ]) {
      const answer = await create(server.rootToken, body);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('hunter2');
    }
  });

  it('looks tokens up by their secret, with every form of request', async () => {
    const token = await made({ policies: 'other', ttl: '1h' });
    expect((await server.root('GET', `/v1/auth/token/lookup/${token}`)).body.data.id).toBe(token);
    expect(await server.root('POST', '/v1/auth/token/lookup')).toMatchObject(refused('missing token ID'));
    const bad = { status: 403, body: { errors: ['bad token'] } };
    for (const wrong of ['nope', `${token}1`]) {
      expect(await server.root('POST', '/v1/auth/token/lookup', { token: wrong })).toMatchObject(bad);
      expect(await server.root('GET', `/v1/auth/token/lookup/${wrong}`)).toMatchObject(bad);
    }
    expect((await server.call('POST', '/v1/auth/token/lookup', { token, body: { token } })).status).toBe(403);
  });

  it('renews tokens on their own terms', async () => {
    const token = await made({ policies: 'other', ttl: '1h', explicit_max_ttl: '3h' });
    const renew = (body: unknown) => server.root('POST', '/v1/auth/token/renew', body);
    expect((await renew({ token })).body.auth).toMatchObject({ client_token: token, lease_duration: HOUR });
    expect((await renew({ token, increment: '2h' })).body.auth.lease_duration).toBe(2 * HOUR);
    const capped = await server.call('POST', '/v1/auth/token/renew-self', { token, body: { increment: '5h' } });
    expect(capped.body.auth.lease_duration).toBe(3 * HOUR);
    expect(warnings(capped)).toHaveLength(1);
    const old = await server.root('PUT', `/v1/auth/token/renew/${token}`, { increment: 60 });
    expect(old.body.auth).toMatchObject({ client_token: token, lease_duration: 60 });
    expect((await lookup(token)).ttl).toBe(60);
    expect(await renew({ token: 'nope' })).toMatchObject(refused('token not found'));
    expect(await renew({})).toMatchObject(refused('missing token ID'));
    const fixed = await made({ policies: 'other', renewable: false });
    expect(await renew({ token: fixed })).toMatchObject(refused('lease is not renewable'));
    const periodic = await made({ policies: 'other', period: '1h' });
    for (let i = 0; i < 3; i++) {
      server.advance(HOUR - 1);
      expect((await renew({ token: periodic, increment: '5h' })).body.auth.lease_duration).toBe(HOUR);
    }
    server.advance(-3 * (HOUR - 1));
  });
});
