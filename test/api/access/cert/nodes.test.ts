import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { identityOf } from '../../../support/identity.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const REFUSED = 'failed to match all constraints for this login certificate';

describe.each(databaseKinds)('changes that one node has made and another has not read yet, on %s', (kind) => {
  let one: TestServer;
  let other: TestServer;
  const ca = createRoot();
  let certificate: ReturnType<typeof ca.issue>;
  let count = 0;
  let mount = '';
  const tune = (body: object) => one.root('POST', `/v1/sys/auth/${mount}/tune`, body);
  const role = (body: object) => one.root('POST', `/v1/auth/${mount}/certs/web`, body);
  const login = (at = mount) => other.call('POST', `/v1/auth/${at}/login`, { certificate, body: {} });
  const told = async (at = mount) => {
    const { status, body } = await login(at);
    return [status, body.errors?.[0]];
  };
  const lookUp = async (token: string) => (await other.call('GET', '/v1/auth/token/lookup-self', { token })).status;

  beforeAll(async () => {
    one = await startTestServer(kind);
    other = await startTestServer(kind, { beside: one });
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  /** The second node caches the mount, its role and the entity of the certificate. */
  beforeEach(async () => {
    mount = `m-${++count}`;
    await one.root('POST', `/v1/sys/auth/${mount}`, { type: 'cert' });
    await role({ certificate: ca.pem, token_policies: 'before' });
    certificate = ca.issue({ subject: `machine-${count}` });
    for (let i = 0; i < 3; i++) expect((await login()).body.auth.token_policies).toEqual(['before', 'default']);
  });

  it('a role: its policies, its constraints, its deletion and its return', async () => {
    await role({ token_policies: 'after' });
    expect((await login()).body.auth.token_policies).toEqual(['after', 'default']);
    await role({ allowed_common_names: 'nobody' });
    expect(await told()).toEqual([400, REFUSED]);
    await role({ allowed_common_names: '' });
    expect(await told()).toEqual([200, undefined]);
    await one.root('DELETE', `/v1/auth/${mount}/certs/web`);
    expect(await told()).toEqual([400, REFUSED]);
    await role({ certificate: ca.pem });
    expect(await told()).toEqual([200, undefined]);
    expect(other.logLines().findLast(({ route }) => route === '/v1/auth/:mount/login')).not.toHaveProperty('verdicts');
  });

  it('the key purposes and the groups of a role', async () => {
    certificate = ca.issue({
      subject: [
        ['CN', 'server'],
        ['OU', 'ops'],
      ],
      extendedKeyUsage: ['serverAuth'],
    });
    expect(await told()).toEqual([400, REFUSED]);
    await role({ extended_key_usage: ['ServerAuth'], group_sources: ['subject:OU'] });
    expect((await login()).body.auth).not.toHaveProperty('identity_policies');
    const { body } = await one.root('POST', '/v1/identity/group', { type: 'external', policies: ['of-ops'] });
    const accessor = (await one.root('GET', '/v1/sys/auth')).body.data[`${mount}/`].accessor;
    const alias = { name: 'ops', mount_accessor: accessor, canonical_id: body.data.id };
    await one.root('POST', '/v1/identity/group-alias', alias);
    expect((await login()).body.auth.identity_policies).toEqual(['of-ops']);
    await role({ group_sources: [] });
    expect((await login()).body.auth).not.toHaveProperty('identity_policies');
    await role({ extended_key_usage: null });
    expect(await told()).toEqual([400, REFUSED]);
  });

  it('a CRL', async () => {
    await one.root('POST', `/v1/auth/${mount}/crls/corp`, { crl: ca.crl({ revoked: [certificate.serial] }).pem });
    expect(await told()).toEqual([400, REFUSED]);
    expect(other.logLines().findLast(({ route }) => route === '/v1/auth/:mount/login')).not.toHaveProperty('role');
    await one.root('DELETE', `/v1/auth/${mount}/crls/corp`);
    expect(await told()).toEqual([200, undefined]);
  });

  it('the mount: its tuning, its move, its deletion, and a new mount at its path', async () => {
    await tune({ max_lease_ttl: '60s', token_type: 'batch' });
    expect((await login()).body.auth).toMatchObject({ lease_duration: 60, token_type: 'batch' });
    await tune({ token_type: 'service', default_lease_ttl: '30s' });
    expect((await login()).body.auth).toMatchObject({ lease_duration: 30, token_type: 'service' });
    await one.root('POST', '/v1/sys/remount', { from: `auth/${mount}`, to: `auth/${mount}-b` });
    expect(await told()).toEqual([403, 'permission denied']);
    expect(await told(`${mount}-b`)).toEqual([200, undefined]);
    await one.root('DELETE', `/v1/sys/auth/${mount}-b`);
    expect(await told(`${mount}-b`)).toEqual([403, 'permission denied']);
    await one.root('POST', `/v1/sys/auth/${mount}-b`, { type: 'cert' });
    expect(await told(`${mount}-b`)).toEqual([400, REFUSED]);
  });

  it('the entity of a certificate: its policies, disabling, deletion and merge', async () => {
    const identity = identityOf(one);
    const first = (await login()).body.auth.entity_id;
    await identity.write(`entity/id/${first}`, { policies: ['held'] });
    expect((await login()).body.auth.identity_policies).toEqual(['held']);
    await identity.write(`entity/id/${first}`, { disabled: true });
    expect(await told()).toEqual([400, REFUSED]);
    await identity.write(`entity/id/${first}`, { disabled: false });
    const { client_token: token } = (await login()).body.auth;
    expect(await lookUp(token)).toBe(200);
    await identity.remove(`entity/id/${first}`);
    const second = (await login()).body.auth.entity_id;
    expect([await lookUp(token), second === first]).toEqual([403, false]);
    const third = await identity.create('entity');
    await identity.write('entity/merge', { from_entity_ids: [second], to_entity_id: third });
    expect((await login()).body.auth.entity_id).toBe(third);
  });

  it('batch tokens too', async () => {
    await role({ token_type: 'batch' });
    expect((await login()).body.auth.token_type).toBe('batch');
    await role({ token_policies: 'after' });
    expect((await login()).body.auth.token_policies).toEqual(['after', 'default']);
    const { entity_id: entity } = (await login()).body.auth;
    await identityOf(one).write(`entity/id/${entity}`, { disabled: true });
    expect(await told()).toEqual([400, REFUSED]);
  });

  it('metadata of the alias is that of the last login', async () => {
    const alias = async () => {
      const { entity_id: id } = (await login()).body.auth;
      return (await identityOf(one).read(`entity/id/${id}`)).body.data.aliases[0].metadata;
    };
    expect(await alias()).toBeNull();
    await one.root('POST', `/v1/auth/${mount}/config`, { enable_identity_alias_metadata: true });
    expect(await alias()).toMatchObject({ cert_name: 'web', serial_number: String(certificate.serial) });
    certificate = ca.issue({ subject: `machine-${count}` });
    await one.call('POST', `/v1/auth/${mount}/login`, { certificate, body: {} });
    expect(await alias()).toMatchObject({ serial_number: String(certificate.serial) });
    await one.root('POST', `/v1/auth/${mount}/config`, { enable_identity_alias_metadata: false });
    expect(await alias()).toBeNull();
  });
});
