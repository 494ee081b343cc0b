import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signClaims, signingKey } from '../../support/jwt/issuer.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { type Client, called, commands, connect } from './client.ts';
import skipped from './skipped.json' with { type: 'json' };

const POLICY = 'path "sys/auth" { capabilities = ["read", "sudo"] }';
const refusedWith = (statusCode: number) => ({ response: { statusCode } });

/** Each command of the client, except those that skipped.json lists with a reason. */
describe('node-vault', () => {
  let serving: Serving;
  /** Each test has its own client: creating a token makes the client use that token. */
  const root = (): Client => connect(serving, serving.rootToken);
  const machine = async (): Promise<Client> => {
    const client = connect(serving);
    await client.certLogin();
    return client;
  };

  beforeAll(async () => {
    serving = await startServing();
    const certificate = readFileSync(serving.clientCaFile, 'utf8');
    const client = root();
    if (!('cert/' in (await client.auths()).data)) await client.enableAuth({ mount_point: 'cert', type: 'cert' });
    await client.addPolicy({ name: 'web', policy: POLICY });
    await client.write('auth/cert/certs/web', { certificate, token_policies: ['web'], token_ttl: '1h' });
  });
  afterAll(() => serving.stop());

  it('learns the state of the server', async () => {
    const client = connect(serving);
    expect(await client.status()).toMatchObject({ initialized: true, sealed: false });
    expect(await client.initialized()).toEqual({ initialized: true });
    expect(await client.health({ standbyok: true })).toMatchObject({ initialized: true, sealed: false });
    expect(await client.leader()).toHaveProperty('ha_enabled');
  });

  it('logs in with its certificate, and its policies apply', async () => {
    const client = connect(serving);
    const { auth } = await client.certLogin();
    expect(auth).toMatchObject({ policies: ['default', 'web'], lease_duration: 3600, renewable: true });
    expect(auth.metadata).toMatchObject({ cert_name: 'web', common_name: 'machine-1' });
    expect(client.token).toBe(auth.client_token);
    expect((await client.auths()).data).toHaveProperty('cert/');
    await expect(client.policies()).rejects.toMatchObject(refusedWith(403));
  });

  it('logs in with a token of another issuer', async () => {
    const key = signingKey('one');
    const client = root();
    await client.enableAuth({ mount_point: 'jwt', type: 'jwt' });
    await client.write('auth/jwt/config', { jwt_validation_pubkeys: [key.publicPem], bound_issuer: 'ci' });
    await client.write('auth/jwt/role/deploy', { user_claim: 'sub', bound_audiences: ['a'], token_policies: ['web'] });
    const now = Math.floor(Date.now() / 1000);
    const jwt = await signClaims({ iss: 'ci', sub: 'job', aud: 'a', iat: now, exp: now + 300 }, key);
    const pipeline = connect(serving);
    const { auth } = await pipeline.jwtLogin({ role: 'deploy', jwt });
    expect(auth).toMatchObject({ policies: ['default', 'web'], metadata: { role: 'deploy' } });
    expect(pipeline.token).toBe(auth.client_token);
    const other = await signClaims({ iss: 'other', sub: 'job', aud: 'a', exp: now + 300 }, key);
    await expect(connect(serving).jwtLogin({ role: 'deploy', jwt: other })).rejects.toMatchObject(refusedWith(400));
    await client.disableAuth({ mount_point: 'jwt' });
  });

  it('reads, writes, lists and deletes roles, with LIST and without', async () => {
    const client = root();
    const certificate = readFileSync(serving.clientCaFile, 'utf8');
    await client.write('auth/cert/certs/other', { certificate, allowed_common_names: 'nobody' });
    expect((await client.list('auth/cert/certs')).data.keys).toEqual(['other', 'web']);
    const plain = connect(serving, serving.rootToken, { noCustomHTTPVerbs: true });
    expect((await plain.list('auth/cert/certs')).data.keys).toEqual(['other', 'web']);
    expect((await client.read('auth/cert/certs/other')).data.allowed_common_names).toEqual(['nobody']);
    await client.delete('auth/cert/certs/other');
    await expect(client.read('auth/cert/certs/other')).rejects.toMatchObject(refusedWith(404));
  });

  it('enables, moves and disables mounts', async () => {
    const client = root();
    await client.enableAuth({ mount_point: 'more', type: 'cert', description: 'of a test' });
    expect((await client.auths())['more/']).toMatchObject({ type: 'cert', description: 'of a test' });
    await client.remount({ from: 'auth/more', to: 'auth/moved' });
    expect(Object.keys((await client.auths()).data)).toEqual(expect.arrayContaining(['moved/', 'token/']));
    await client.disableAuth({ mount_point: 'moved' });
    expect((await client.auths()).data).not.toHaveProperty('moved/');
    await expect(client.enableAuth({ mount_point: 'no', type: 'github' })).rejects.toMatchObject(refusedWith(400));
  });

  it('manages policies', async () => {
    const client = root();
    await client.addPolicy({ name: 'more', policy: POLICY });
    expect((await client.policies()).policies).toEqual(['default', 'more', 'root', 'web']);
    expect((await client.getPolicy({ name: 'more' })).rules).toBe(POLICY);
    await client.removePolicy({ name: 'more' });
    await expect(client.getPolicy({ name: 'more' })).rejects.toMatchObject(refusedWith(404));
  });

  it('creates tokens, by itself, as orphans and by role', async () => {
    const parent = root();
    const { auth } = await parent.tokenCreate({ ttl: '1h', meta: { team: 'web' } });
    expect(parent.token).toBe(auth.client_token);
    expect((await parent.tokenLookupSelf()).data).toMatchObject({ meta: { team: 'web' }, orphan: false });
    expect((await root().tokenCreateOrphan({ ttl: '1h' })).auth).toMatchObject({ orphan: true });
    const client = root();
    await client.addTokenRole({ role_name: 'deploy', allowed_policies: 'deploy', orphan: true });
    expect((await client.getTokenRole({ role_name: 'deploy' })).data).toMatchObject({ allowed_policies: ['deploy'] });
    expect((await client.tokenRoles()).data.keys).toEqual(['deploy']);
    const byRole = (await root().tokenCreateRole({ role_name: 'deploy' })).auth;
    expect(byRole).toMatchObject({ orphan: true, policies: ['default', 'deploy'] });
    await client.removeTokenRole({ role_name: 'deploy' });
    await expect(client.tokenRoles()).rejects.toMatchObject(refusedWith(404));
  });

  it('looks up, renews and revokes a token', async () => {
    const client = root();
    const { client_token: token, accessor } = (await root().tokenCreate({ ttl: '1h' })).auth;
    expect((await client.tokenLookup({ token })).data).toMatchObject({ id: token, accessor });
    expect((await client.tokenLookupAccessor({ accessor })).data).toMatchObject({ id: '', accessor });
    expect((await client.tokenAccessors()).data.keys).toContain(accessor);
    expect((await client.tokenRenew({ token, increment: '30m' })).auth.lease_duration).toBe(1800);
    expect((await connect(serving, token).tokenRenewSelf()).auth.client_token).toBe(token);
    await client.tokenRevoke({ token });
    await expect(client.tokenLookup({ token })).rejects.toMatchObject(refusedWith(403));
  });

  it.each<[string, (auth: { client_token: string; accessor: string }) => Promise<unknown>]>([
    ['by accessor', ({ accessor }) => root().tokenRevokeAccessor({ accessor })],
    ['without its children', ({ client_token: token }) => root().tokenRevokeOrphan({ token })],
    ['by itself', ({ client_token: token }) => connect(serving, token).tokenRevokeSelf()],
  ])('revokes a token %s', async (_, revoke) => {
    const { auth } = await root().tokenCreate({ ttl: '1h' });
    await revoke(auth);
    await expect(connect(serving, auth.client_token).tokenLookupSelf()).rejects.toMatchObject(refusedWith(403));
  });

  it('revokes the lease of a login, and cannot renew it', async () => {
    const client = root();
    const before: string[] = await leases(client);
    const loggedIn = await machine();
    const [lease = ''] = (await leases(client)).filter((key) => !before.includes(key));
    const id = { lease_id: `auth/cert/login/${lease}` };
    await expect(client.renew({ ...id, increment: 1800 })).rejects.toMatchObject(refusedWith(400));
    await client.revoke(id);
    await expect(loggedIn.tokenLookupSelf()).rejects.toMatchObject(refusedWith(403));
  });

  it('unwraps a login', async () => {
    const client = connect(serving);
    const headers = { 'X-Vault-Wrap-TTL': '60s' };
    const { wrap_info: wrapped, auth } = await client.write('auth/cert/login', {}, { headers });
    expect(auth).toBeNull();
    const unwrapped = await connect(serving, wrapped.token).unwrap();
    expect(unwrapped.auth).toMatchObject({ accessor: wrapped.wrapped_accessor, policies: ['default', 'web'] });
    await expect(root().unwrap({ token: wrapped.token })).rejects.toMatchObject(refusedWith(400));
  });

  it('keeps its token alive', async () => {
    const client = await machine();
    const renewed = once(client, 'token:renewed');
    await client.startTokenRenewal({ ttl: 1 });
    const [{ auth }] = await renewed;
    client.stopTokenRenewal();
    expect(auth).toMatchObject({ client_token: client.token, renewable: true });
  });

  it('has called or skipped every command', () => {
    const leftOut = Object.values(skipped).flat();
    expect([...called, ...leftOut].sort()).toEqual([...commands].sort());
  });

  for (const [reason, names] of Object.entries(skipped)) {
    for (const name of names) it.skip(`${name}: ${reason}`);
  }
});

async function leases(client: Client): Promise<string[]> {
  const none = { data: { keys: [] } };
  return (await client.list('sys/leases/lookup/auth/cert/login').catch(() => none)).data.keys;
}
