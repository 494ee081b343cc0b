import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LINK_GRACE_MS } from '../../src/lib/signed-links/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { createRoot } from '../support/pki.ts';
import { archive } from '../support/samples/archive.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A certificate logs in at one API, and its token works at the other. */
describe.each(databaseKinds)('a machine at work, on %s', (kind) => {
  let server: TestServer;
  let team: string;
  let workspace: string;
  const ca = createRoot({ subject: 'Client CA' });
  const runner = ca.issue({ subject: 'runner-1.example.com' });

  const create = async (path: string, type: string, attributes: Record<string, unknown>): Promise<string> => {
    const { status, body } = await server.user('POST', `/api/v2/${path}`, { data: { type, attributes } });
    expect([status, body.errors]).toEqual([201, undefined]);
    return body.data.id;
  };
  const identify = (attributes: Record<string, unknown>) =>
    create(`teams/${team}/machine-identities`, 'machine-identities', { mount: 'cert', ...attributes });
  const login = async (role: string, certificate = runner): Promise<string> => {
    const answer = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: role } });
    expect(answer.status).toBe(200);
    return answer.body.auth.client_token;
  };
  const list = (token: string) => server.call('GET', '/api/v2/organizations/acme/workspaces', { token });
  const act = (token: string, action: string) =>
    server.call('POST', `/api/v2/workspaces/${workspace}/actions/${action}`, { token });

  beforeAll(async () => {
    server = await startTestServer(kind);
    for (const name of ['ci', 'other', 'nobody', 'brief']) {
      const settings = { certificate: ca.pem, token_ttl: name === 'brief' ? '60s' : '1h' };
      await server.root('POST', `/v1/auth/cert/certs/${name}`, settings);
    }
    await create('organizations', 'organizations', { name: 'acme', email: 'a@example.com' });
    team = await create('organizations/acme/teams', 'teams', {
      name: 'runners',
      'organization-access': { 'manage-workspaces': true },
    });
    workspace = await create('organizations/acme/workspaces', 'workspaces', { name: 'network' });
  });
  afterAll(() => server.stop());

  it('is refused without a machine identity', async () => {
    expect((await list(await login('nobody'))).status).toBe(401);
  });

  it('acts as the team whose identity has its mount and role', async () => {
    const id = await identify({ role: 'ci' });
    const token = await login('ci');
    const answer = await list(token);
    expect(answer.status).toBe(200);
    expect(answer.body.data.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual(['network']);
    expect((await list(await login('other'))).status).toBe(401);
    await server.user('DELETE', `/api/v2/machine-identities/${id}`);
    expect((await list(token)).status).toBe(401);
  });

  it('needs the common name that the identity requires', async () => {
    const id = await identify({ role: 'ci', 'common-name': 'runner-*' });
    expect((await list(await login('ci'))).status).toBe(200);
    expect((await list(await login('ci', ca.issue({ subject: 'builder-1.example.com' })))).status).toBe(401);
    await server.user('DELETE', `/api/v2/machine-identities/${id}`);
  });

  it('cannot pass for another mount', async () => {
    const id = await identify({ role: 'ci', mount: 'elsewhere' });
    expect((await list(await login('ci'))).status).toBe(401);
    await server.user('DELETE', `/api/v2/machine-identities/${id}`);
  });

  it('is an agent of the pool whose identity has its mount and role, until its token is revoked', async () => {
    const pool = await create('organizations/acme/agent-pools', 'agent-pools', { name: 'rack' });
    const path = `agent-pools/${pool}/machine-identities`;
    await create(path, 'machine-identities', { mount: 'cert', role: 'other', 'common-name': 'runner-*' });
    const token = await login('other');
    const body = { data: { type: 'agents', attributes: { name: 'runner-1' } } };
    const registered = await server.call('POST', `/api/v2/agent-pools/${pool}/agents`, { token, body });
    expect(registered.status).toBe(201);
    const { id } = registered.body.data;
    const claim = (held: string) =>
      server.call('POST', `/api/v2/agents/${id}/actions/claim`, { token: held, headers: { 'agent-id': id } });
    expect((await claim(token)).status).toBe(204);
    const named = { actor_kind: 'agent', actor_id: id, actor_subject: 'CN=runner-1.example.com' };
    await expect.poll(() => server.auditLines().find(({ actor_id }) => actor_id === id)).toMatchObject(named);
    const renewed = await login('other');
    expect((await server.call('POST', '/v1/auth/token/revoke-self', { token })).status).toBe(204);
    expect((await claim(token)).status).toBe(401);
    expect((await claim(renewed)).status).toBe(204);
    expect((await list(renewed)).status).toBe(404);
    await server.user('DELETE', `/api/v2/agent-pools/${pool}`);
    expect((await claim(renewed)).status).toBe(401);
  });

  it('uses the token of a job as long as the login that last used it is valid', async () => {
    const { pool, id, token, job } = await atWork('at-work');
    const path = `/api/v2/jobs/${job.id}/actions/heartbeat`;
    const held: string = job.attributes.token;
    const beat = async () => (await server.call('POST', path, { token: held })).status;
    const request = await server.call('POST', path, { token: held });
    expect(request.status).toBe(200);
    const named = {
      ...{ actor_kind: 'agent', actor_id: id, actor_agent_pool: pool },
      ...{ actor_job: job.id, actor_run: job.attributes['run-id'] },
      ...{ actor_subject: 'CN=runner-1.example.com', actor_serial: String(runner.serial) },
    };
    const find = (lines: Record<string, unknown>[]) =>
      lines.find(({ request_id }) => request_id === request.headers['x-request-id']);
    await expect.poll(() => find(server.logLines())).toMatchObject(named);
    expect(find(server.auditLines())).toMatchObject(named);

    const renewed = await login('at-work');
    const body = { data: { type: 'agents', attributes: { status: 'busy' } } };
    const headers = { 'agent-id': id };
    expect((await server.call('PATCH', `/api/v2/agents/${id}`, { token: renewed, body, headers })).status).toBe(200);
    await server.call('POST', '/v1/auth/token/revoke-self', { token });
    expect(await beat()).toBe(200);
    await server.call('POST', '/v1/auth/token/revoke-self', { token: renewed });
    expect(await beat()).toBe(401);
    const again = await login('at-work');
    expect((await server.call('PATCH', `/api/v2/agents/${id}`, { token: again, body, headers })).status).toBe(200);
    expect(await beat()).toBe(200);

    const entity = (await server.call('GET', '/v1/auth/token/lookup-self', { token: again })).body.data.entity_id;
    await server.root('POST', `/v1/identity/entity/id/${entity}`, { disabled: true });
    expect(await beat()).toBe(401);
    await server.root('POST', `/v1/identity/entity/id/${entity}`, { disabled: false });
    expect(await beat()).toBe(200);
    for (const secret of [held, again]) {
      expect(JSON.stringify([server.logLines(), server.auditLines()])).not.toContain(secret);
    }
  });

  /** An agent with a certificate that has taken a job. */
  async function atWork(role: string) {
    await server.root('POST', `/v1/auth/cert/certs/${role}`, { certificate: ca.pem, token_ttl: '1h' });
    const pool = await create('organizations/acme/agent-pools', 'agent-pools', { name: role });
    await create(`agent-pools/${pool}/machine-identities`, 'machine-identities', { mount: 'cert', role });
    const place = await create('organizations/acme/workspaces', 'workspaces', {
      name: role,
      'execution-mode': 'agent',
      'agent-pool-id': pool,
    });
    const version = await server.user('POST', `/api/v2/workspaces/${place}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': true } },
    });
    const upload = new URL(version.body.data.attributes['upload-url']).pathname;
    expect((await server.call('PUT', upload, { body: archive() })).status).toBe(200);
    const token = await login(role);
    const body = { data: { type: 'agents', attributes: { name: role, engines: ['opentofu 1.10.7'] } } };
    const registered = await server.call('POST', '/api/v2/agents', { token, body });
    expect(registered.status, registered.text).toBe(201);
    const { id } = registered.body.data;
    const claimed = await server.call('POST', `/api/v2/agents/${id}/actions/claim`, {
      token,
      headers: { 'agent-id': id },
    });
    expect(claimed.status, claimed.text).toBe(200);
    return { pool, id, token, job: claimed.body.data };
  }

  describe('with an identity', () => {
    beforeAll(async () => {
      await identify({ role: 'ci' });
      await identify({ role: 'brief' });
    });

    it('locks a workspace in the name of its team', async () => {
      const token = await login('ci');
      const locked = await act(token, 'lock');
      expect(locked.status).toBe(200);
      expect(locked.body.data.attributes.locked).toBe(true);
      expect(locked.body.data.relationships['locked-by'].data).toEqual({ type: 'teams', id: team });
      expect((await act(token, 'lock')).status).toBe(409);
      const unlocked = await act(token, 'unlock');
      expect([unlocked.status, unlocked.body.data.attributes.locked]).toEqual([200, false]);
    });

    it('is in the log and in the audit log by the subject and serial number of its certificate', async () => {
      const answer = await act(await login('ci'), 'force-unlock');
      const id = answer.headers['x-request-id'];
      const expected = {
        actor_kind: 'machine',
        actor_mount: 'cert',
        actor_role: 'ci',
        actor_subject: 'CN=runner-1.example.com',
        actor_serial: String(runner.serial),
      };
      // The line of the log is written after the answer.
      const find = (lines: Record<string, unknown>[]) => lines.find((line) => line.request_id === id);
      await expect.poll(() => find(server.logLines())).toMatchObject(expected);
      expect(find(server.auditLines())).toMatchObject({ ...expected, type: 'request' });
      expect(find(server.auditLines().reverse())).toMatchObject({ ...expected, type: 'response', status: 409 });
    });

    it('is refused after its token is revoked', async () => {
      const token = await login('ci');
      expect((await list(token)).status).toBe(200);
      await server.call('POST', '/v1/auth/token/revoke-self', { token });
      expect((await list(token)).status).toBe(401);
    });

    it('is refused after its token has expired', async () => {
      const token = await login('brief');
      server.advance(59);
      expect((await list(token)).status).toBe(200);
      server.advance(1);
      expect((await list(token)).status).toBe(401);
    });

    it('may not exceed the permissions of its team', async () => {
      const token = await login('ci');
      const body = { data: { type: 'machine-identities', attributes: { mount: 'cert', role: 'nobody' } } };
      expect((await server.call('POST', `/api/v2/teams/${team}/machine-identities`, { token, body })).status).toBe(404);
      expect((await server.call('GET', '/api/v2/account/details', { token })).status).toBe(404);
    });
  });

  it('is refused at both APIs after its entity is deleted, or while it is disabled: service and batch tokens', async () => {
    await identify({ role: 'other' });
    for (const type of ['service', 'batch']) {
      await server.root('POST', '/v1/auth/cert/certs/other', { certificate: ca.pem, token_type: type });
      const token = await login('other', ca.issue({ subject: `${type}.example.com` }));
      const look = async () => {
        const access = await server.call('GET', '/v1/auth/token/lookup-self', { token });
        return [access.status, (await list(token)).status, access.body.data?.entity_id];
      };
      const [, , id] = await look();
      expect(await look()).toEqual([200, 200, id]);
      const entity = `/v1/identity/entity/id/${id}`;
      await server.root('POST', entity, { disabled: true });
      expect(await look()).toEqual([403, 401, undefined]);
      await server.root('POST', entity, { disabled: false });
      expect(await look()).toEqual([200, 200, id]);
      await server.root('POST', entity, { disabled: true });
      await server.root('DELETE', entity);
      expect(await look()).toEqual([403, 401, undefined]);
    }
  });

  it('has the policies of its groups at one API, and the permissions of its team at the other', async () => {
    await identify({ role: 'ci', 'common-name': 'grouped-*' });
    const policy = 'path "auth/cert/certs/ci" { capabilities = ["read"] }';
    await server.root('PUT', '/v1/sys/policies/acl/all-runners', { policy });
    const runners = ['grouped-1.example.com', 'grouped-2.example.com'].map((subject) => ca.issue({ subject }));
    const tokens = await Promise.all(runners.map((certificate) => login('ci', certificate)));
    const statuses = () =>
      Promise.all(
        tokens.map(async (token) => [
          (await server.call('GET', '/v1/auth/cert/certs/ci', { token })).status,
          (await list(token)).status,
        ]),
      );
    const entities = await Promise.all(
      tokens.map(
        async (token) => (await server.call('GET', '/v1/auth/token/lookup-self', { token })).body.data.entity_id,
      ),
    );
    expect(await statuses()).toEqual([
      [403, 200],
      [403, 200],
    ]);
    const path = '/v1/identity/group/name/all-runners';
    await server.root('POST', path, { policies: ['all-runners'], member_entity_ids: entities });
    expect(await statuses()).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await server.root('POST', path, { member_entity_ids: entities.slice(1) });
    expect(await statuses()).toEqual([
      [403, 200],
      [200, 200],
    ]);
  });

  it.each(['service', 'batch'])(
    'continues at both when its entity is merged, and loses access with the merged one: %s',
    async (type) => {
      const role = `merged-${type}`;
      await server.root('POST', `/v1/auth/cert/certs/${role}`, { certificate: ca.pem, token_type: type });
      await identify({ role });
      const token = await login(role, ca.issue({ subject: `${role}.example.com` }));
      const look = () => server.call('GET', '/v1/auth/token/lookup-self', { token });
      const from = (await look()).body.data.entity_id;
      const { id: to } = (await server.root('POST', '/v1/identity/entity', {})).body.data;
      const merged = await server.root('POST', '/v1/identity/entity/merge', {
        to_entity_id: to,
        from_entity_ids: [from],
      });
      expect(merged.status).toBe(204);
      expect([(await look()).body.data.entity_id, (await list(token)).status]).toEqual([to, 200]);
      await server.root('POST', `/v1/identity/entity/id/${to}`, { disabled: true });
      expect([(await look()).status, (await list(token)).status]).toEqual([403, 401]);
      await server.root('POST', `/v1/identity/entity/id/${to}`, { disabled: false });
      expect((await list(token)).status).toBe(200);
      await server.root('DELETE', `/v1/identity/entity/id/${to}`);
      expect([(await look()).status, (await list(token)).status]).toEqual([403, 401]);
    },
  );

  describe('whose token is used no more', () => {
    const text = JSON.stringify({ version: 4, terraform_version: '1.10.5', serial: 1, lineage: 'l', resources: [] });
    let made = 0;

    /** Logs in, announces a state in a new workspace, and returns a function that uses its URL. */
    async function announced(settings: Record<string, unknown>) {
      const name = `links-${++made}`;
      await server.root('POST', `/v1/auth/cert/certs/${name}`, { certificate: ca.pem, token_ttl: '1h', ...settings });
      await identify({ role: name });
      const token = await login(name, ca.issue({ subject: `${name}.example.com` }));
      const of = (await server.call('GET', '/v1/auth/token/lookup-self', { token })).body.data;
      const id = await create('organizations/acme/workspaces', 'workspaces', { name });
      const call = (method: string, path: string, body?: unknown) =>
        server.call(method, `/api/v2/workspaces/${id}/${path}`, { token, ...(body !== undefined && { body }) });
      expect((await call('POST', 'actions/lock')).status).toBe(200);
      const md5 = createHash('md5').update(text).digest('hex');
      const version = await call('POST', 'state-versions', {
        data: { type: 'state-versions', attributes: { serial: 1, lineage: 'l', md5 } },
      });
      expect(version.status, version.text).toBe(201);
      const url = new URL(version.body.data.attributes['hosted-state-upload-url']);
      const headers = { 'content-type': 'application/octet-stream' };
      const upload = async () =>
        (await server.call('PUT', `${url.pathname}${url.search}`, { body: text, headers })).status;
      return { token, entityId: of.entity_id, accessor: of.accessor, upload };
    }

    it.each(['service', 'batch'])('may send a state that it has announced in time, with a %s token', async (type) => {
      const { token, upload } = await announced({ token_type: type });
      server.advance(3600);
      expect((await list(token)).status).toBe(401);
      await server.application.access.tokens.sweep();
      expect(await upload()).toBe(200);
      const late = await announced({ token_type: type });
      server.advance(3600 + LINK_GRACE_MS / 1000);
      expect(await late.upload()).toBe(401);
    });

    it('may send a state that it has announced with the last use of a token', async () => {
      const { token, upload } = await announced({ token_num_uses: 3 });
      expect((await list(token)).status).toBe(401);
      expect(await upload()).toBe(200);
    });

    it('may not once it was revoked, and never again', async () => {
      const { accessor, upload } = await announced({});
      expect((await server.root('POST', '/v1/auth/token/revoke-accessor', { accessor })).status).toBe(204);
      expect(await upload()).toBe(401);
      server.advance(3600);
      expect(await upload()).toBe(401);
    });

    it.each(['service', 'batch'])('may not while its entity is disabled, nor once it is gone: %s', async (type) => {
      const { entityId, upload } = await announced({ token_type: type });
      const entity = `/v1/identity/entity/id/${entityId}`;
      await server.root('POST', entity, { disabled: true });
      expect(await upload()).toBe(401);
      await server.root('DELETE', entity);
      expect(await upload()).toBe(401);
      const other = await announced({ token_type: type });
      await server.root('POST', `/v1/identity/entity/id/${other.entityId}`, { disabled: true });
      await server.root('POST', `/v1/identity/entity/id/${other.entityId}`, { disabled: false });
      expect(await other.upload()).toBe(200);
    });

    it.each(['service', 'batch'])('may not from where its token may not be used: %s', async (type) => {
      const { token, upload } = await announced({ token_type: type, token_bound_cidrs: '127.0.0.1' });
      const { access } = server.application;
      const { reference = '' } = (await access.certificateLogin(token, '127.0.0.1')) ?? {};
      expect((await access.certificateLoginByReference(reference, '127.0.0.1'))?.reference).toBe(reference);
      expect(await access.certificateLoginByReference(reference, '192.0.2.1')).toBeUndefined();
      expect(await upload()).toBe(200);
    });
  });

  it('is apart from the tokens of either side', async () => {
    expect((await list(server.rootToken)).status).toBe(401);
    expect((await server.call('GET', '/v1/auth/token/lookup-self', { token: server.userToken })).status).toBe(403);
  });
});

describe('one API without the other', () => {
  it('serves access without workspaces, and workspaces without access', async () => {
    for (const [service, present, absent] of [
      ['access', '/v1/sys/health', '/api/v2/account/details'],
      ['workspaces', '/api/v2/account/details', '/v1/sys/health'],
    ] as const) {
      const server = await startTestServer('sqlite', { services: [service] });
      expect((await server.call('GET', present, { token: server.userToken })).status).toBe(200);
      expect((await server.call('GET', absent, { token: server.userToken })).status).toBe(404);
      expect((await server.call('GET', '/metrics')).status).toBe(404);
      expect((await server.call('GET', '/healthz/ready')).status).toBe(200);
      await server.stop();
    }
  });
});
