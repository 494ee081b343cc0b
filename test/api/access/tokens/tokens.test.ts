import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LINK_GRACE_MS } from '../../../../src/lib/signed-links/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { createRoot, type Minted } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const DENIED = { status: 403, body: { errors: ['permission denied'] } };

describe.each(databaseKinds)('tokens, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });
  const client = ca.issue({ subject: 'web-1.example.com' });

  const role = (settings: Record<string, unknown>) => server.root('POST', '/v1/auth/cert/certs/web', settings);
  const login = async (certificate: Minted = client): Promise<string> =>
    (await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } })).body.auth.client_token;
  const lookup = (token: string) => server.call('GET', '/v1/auth/token/lookup-self', { token });
  const renew = (token: string, body: unknown = {}, certificate: Minted | undefined = client) =>
    server.call('POST', '/v1/auth/token/renew-self', { token, body, ...(certificate && { certificate }) });

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.root('DELETE', '/v1/auth/cert/certs/web');
    await role({ certificate: ca.pem, token_ttl: '1h', token_max_ttl: '3h', token_policies: 'deploy' });
  });

  it('look themselves up', async () => {
    const token = await login();
    const { status, body } = await lookup(token);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: token,
      accessor: expect.stringMatching(/^\w{24}$/),
      display_name: 'cert-web',
      path: 'auth/cert/login',
      policies: ['default', 'deploy'],
      meta: { cert_name: 'web', common_name: 'web-1.example.com' },
      creation_ttl: 3600,
      ttl: 3600,
      explicit_max_ttl: 0,
      num_uses: 0,
      orphan: true,
      renewable: true,
      type: 'service',
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Date.parse(body.data.expire_time) - Date.parse(body.data.issue_time)).toBe(3_600_000);
    server.advance(600);
    expect((await lookup(token)).body.data).toMatchObject({ ttl: 3000, creation_ttl: 3600 });
  });

  it('expire', async () => {
    const token = await login();
    server.advance(3599);
    expect((await lookup(token)).status).toBe(200);
    server.advance(1);
    expect(await lookup(token)).toMatchObject(DENIED);
    expect(await renew(token)).toMatchObject(DENIED);
  });

  it('are swept after they have expired and no request with them can be in progress, and not before', async () => {
    const tokens = server.application.access.tokens;
    server.advance(LINK_GRACE_MS / 1000);
    await tokens.sweep();
    await login();
    expect(await tokens.sweep()).toBe(0);
    server.advance(3601);
    expect(await tokens.sweep()).toBe(0);
    server.advance(LINK_GRACE_MS / 1000);
    expect(await tokens.sweep()).toBe(1);
  });

  it('have one spelling each, service and batch: another encoding of the same bytes is invalid', async () => {
    const service = await login();
    const [, id = '', secret = ''] = service.split('.');
    const spellings = [`LKS.${id}.${secret}`, `lks.${id}.${secret}=`, `${service}.`, `lks..${id}.${secret}`];
    for (const spelling of spellings) expect((await lookup(spelling)).status).toBe(403);

    await role({ certificate: ca.pem, token_type: 'batch' });
    let sealed = '';
    // A length that leaves bits over in the last character.
    for (let name = 'a'; sealed.length % 4 === 0; name += 'a') {
      sealed = (await login(ca.issue({ subject: `${name}.example.com` }))).slice('lkb.'.length);
    }
    const batch = `lkb.${sealed}`;
    expect((await lookup(batch)).status).toBe(200);
    const decoded = Buffer.from(sealed, 'base64url');
    const others = [
      ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
        (last) => sealed.slice(0, -1) + last,
      ),
      decoded.toString('base64'),
      `${sealed}=`,
      `${sealed.slice(0, 20)}!${sealed.slice(20)}`,
    ].filter((other) => other !== sealed && Buffer.from(other, 'base64url').equals(decoded));
    expect(others.length).toBeGreaterThan(4);
    for (const other of others) expect((await lookup(`lkb.${other}`)).status, other).toBe(403);
    const broken = `lkb.${sealed.slice(0, 20)}\n${sealed.slice(20)}`;
    expect((await server.root('POST', '/v1/auth/token/lookup', { token: broken })).status).toBe(403);
    expect((await lookup(`LKB.${sealed}`)).status).toBe(403);
  });

  it('are sent once in a request, in either header', async () => {
    const [one, other] = [await login(), await login()];
    const status = async (headers: Record<string, string | string[]>, path = '/v1/auth/token/lookup-self') =>
      (await server.call('GET', path, { headers: headers as Record<string, string> })).status;
    for (const authorization of [`Bearer ${one}`, `bearer  ${one}`, `BEARER ${one}`]) {
      expect(await status({ authorization })).toBe(200);
    }
    for (const authorization of [one, `Bearer ${one} ${other}`, `Bearer ${one},${other}`, `Basic ${one}`]) {
      expect(await status({ authorization }), authorization).toBe(403);
    }
    expect(await status({ 'x-vault-token': one, 'x-service-token': one })).toBe(200);
    expect(await status({ 'x-vault-token': one, 'x-service-token': other })).toBe(400);
    expect(await status({ 'x-vault-token': one, authorization: 'Bearer for-the-proxy-in-front' })).toBe(200);
    expect(await status({ 'x-vault-token': [one, one] })).toBe(403);
    expect(await status({ authorization: [`Bearer ${one}`, `Bearer ${other}`] })).toBe(400);
    const authorization = [`Bearer ${server.userToken}`, `Bearer ${one}`];
    expect(await status({ authorization }, '/api/v2/account/details')).toBe(400);
    expect(await status({ authorization: `bearer  ${server.userToken}` }, '/api/v2/account/details')).toBe(200);
  });

  it('are renewed for the TTL of the role or the requested one, up to the maximum', async () => {
    const token = await login();
    server.advance(1800);
    const { status, body } = await renew(token);
    expect(status).toBe(200);
    expect(body.auth).toMatchObject({ client_token: token, lease_duration: 3600, renewable: true });
    expect((await renew(token, { increment: '90m' })).body.auth.lease_duration).toBe(5400);
    const capped = (await renew(token, { increment: 36_000 })).body;
    expect(capped.auth.lease_duration).toBe(9000);
    expect(capped.warnings).toEqual([
      'TTL of "10h" exceeded the effective max_ttl of "2h30m"; TTL value is capped accordingly',
    ]);
    expect((await lookup(token)).body.data).toMatchObject({ ttl: 9000, last_renewal_time: expect.any(Number) });
    server.advance(8999);
    expect((await renew(token)).body.auth.lease_duration).toBe(1);
    server.advance(1);
    expect(await renew(token)).toMatchObject(DENIED);
  });

  it('are renewed only over a connection with the very certificate of the login', async () => {
    const token = await login();
    const sibling = ca.issue({ subject: 'web-1.example.com' });
    const sameKey = ca.issue({ subject: 'web-1.example.com', key: client.privateKey });
    for (const other of [sibling, sameKey]) {
      expect(await renew(token, {}, other)).toMatchObject({
        status: 400,
        body: { errors: ['client identity during renewal not matching client identity used during login'] },
      });
    }
    const bare = await server.call('POST', '/v1/auth/token/renew-self', { token });
    expect(bare).toMatchObject({ status: 400, body: { errors: ['client certificate must be supplied'] } });
    expect((await renew(token)).status).toBe(200);
  });

  it('are not renewed when the role admits their certificate no more, has other policies, or is gone', async () => {
    const token = await login();
    await role({ allowed_common_names: 'nobody' });
    expect((await renew(token)).status).toBe(400);
    await role({ allowed_common_names: '', token_policies: 'deploy,admin' });
    expect((await renew(token)).body).toEqual({ errors: ['policies have changed, not renewing'] });
    await role({ token_policies: 'Deploy' });
    expect((await renew(token)).status).toBe(200);
    await server.root('DELETE', '/v1/auth/cert/certs/web');
    expect((await renew(token)).status).toBe(400);
  });

  it('take the lifetimes that the role has today', async () => {
    const token = await login();
    await role({ token_ttl: '10m' });
    expect((await renew(token)).body.auth.lease_duration).toBe(600);
  });

  it('revoke themselves', async () => {
    const token = await login();
    expect((await server.call('POST', '/v1/auth/token/revoke-self', { token })).status).toBe(204);
    expect(await lookup(token)).toMatchObject(DENIED);
  });

  it('work only from where the role lets them', async () => {
    await role({ token_bound_cidrs: '127.0.0.1' });
    const token = await login();
    expect((await lookup(token)).body.data.bound_cidrs).toEqual(['127.0.0.1']);
    expect(await server.application.access.tokens.authenticate(token, '10.0.0.1')).toBeUndefined();
  });

  it('with a number of uses are used up', async () => {
    await role({ token_num_uses: 3 });
    const token = await login();
    for (const left of [2, 1]) expect((await lookup(token)).body.data.num_uses).toBe(left);
    const together = await Promise.all([lookup(token), lookup(token), lookup(token)]);
    expect(together.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect(await lookup(token)).toMatchObject(DENIED);
  });

  it('of the batch type are not stored, cannot be renewed or revoked, and still expire', async () => {
    await role({ token_type: 'batch' });
    const answer = await server.call('POST', '/v1/auth/cert/login', { certificate: client, body: { name: 'web' } });
    const { client_token: token, ...auth } = answer.body.auth;
    expect(auth).toMatchObject({
      token_type: 'batch',
      renewable: false,
      accessor: '',
      lease_duration: 3600,
      orphan: true,
    });
    expect((await lookup(token)).body.data).toMatchObject({
      type: 'batch',
      ttl: 3600,
      policies: ['default', 'deploy'],
    });
    expect((await renew(token)).body.errors).toEqual(['batch tokens cannot be renewed']);
    const revoked = await server.call('POST', '/v1/auth/token/revoke-self', { token });
    expect([revoked.status, revoked.body.errors]).toEqual([400, ['batch tokens cannot be revoked']]);
    const forged = `${token.slice(0, -4)}${token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    for (const wrong of [forged, 'lkb.', 'lkb.AAAA', `lkb.${'A'.repeat(7000)}`])
      expect(await lookup(wrong)).toMatchObject(DENIED);
    server.advance(3600);
    expect(await lookup(token)).toMatchObject(DENIED);
  });

  it('without the default policy may not even look themselves up', async () => {
    await role({ token_no_default_policy: true });
    expect(await lookup(await login())).toMatchObject({
      status: 403,
      body: { errors: ['1 error occurred:\n\t* permission denied\n\n'] },
    });
  });

  it('of machines have no administrative rights', async () => {
    const token = await login();
    const answer = await server.call('POST', '/v1/auth/cert/certs/mine', { token, body: { certificate: ca.pem } });
    expect(answer.status).toBe(403);
    expect((await server.call('LIST', '/v1/auth/cert/certs', { token })).status).toBe(403);
  });

  it('that differ in one character are invalid', async () => {
    const token = await login();
    const [prefix, id, secret = ''] = token.split('.');
    const flipped = `${prefix}.${id}.${secret.slice(0, -1)}${secret.endsWith('1') ? '2' : '1'}`;
    for (const wrong of [flipped, token.slice(0, -1), `${token}1`, `${prefix}.${id}.`, id ?? '', 'x'.repeat(5000)]) {
      expect(await lookup(wrong)).toMatchObject(DENIED);
    }
  });

  it('of root never expire and cannot be renewed', async () => {
    server.advance(10 * 365 * 24 * 3600);
    const { data } = (await lookup(server.rootToken)).body;
    expect(data).toMatchObject({ policies: ['root'], ttl: 0, expire_time: null, creation_ttl: 0 });
    expect(data).not.toHaveProperty('renewable');
    expect(await renew(server.rootToken)).toMatchObject({ status: 400, body: { errors: ['lease is not renewable'] } });
    server.advance(-10 * 365 * 24 * 3600);
  });
});
