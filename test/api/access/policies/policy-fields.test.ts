import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { createRoot } from '../../../support/pki.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const reads = (path: string) => `path "${path}" { capabilities = ["read"] }`;
const outcome = ({ status, body }: Answer) => [status, body?.errors?.[0]];
const MISMATCH = 'check-and-set parameter did not match the current version';
const REQUIRED = 'check-and-set parameter required for this call';

describe.each(databaseKinds)('metadata of a policy, on %s', (kind) => {
  let server: TestServer;
  const ca = createRoot({ subject: 'Client CA' });

  beforeAll(async () => {
    server = await startTestServer(kind);
    await server.root('POST', '/v1/auth/cert/certs/web', { certificate: ca.pem, token_policies: ['guard', 'fills'] });
  });
  afterAll(() => server.stop());

  const write = (name: string, body: object) => server.root('PUT', `/v1/sys/policies/acl/${name}`, body);
  const patch = (name: string, body: object) => server.root('PATCH', `/v1/sys/policies/acl/${name}`, body);
  const read = async (name: string) => (await server.root('GET', `/v1/sys/policies/acl/${name}`)).body.data;
  const tokenWith = async (...policies: string[]): Promise<string> => {
    const { body } = await server.root('POST', '/v1/auth/token/create', { policies, no_default_policy: true });
    return body.auth.client_token;
  };

  it('is read at both paths of a policy', async () => {
    expect((await write('told', { policy: reads('a'), cas: 0 })).status).toBe(204);
    const facts = {
      version: 1,
      cas_required: false,
      allow_wildcards_in_identity_templates: false,
      allow_slashes_in_identity_templates: false,
      modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    };
    expect(await read('told')).toEqual({ name: 'told', policy: reads('a'), ...facts });
    const legacy = (await server.root('GET', '/v1/sys/policy/told')).body;
    expect(legacy).toMatchObject({ name: 'told', rules: reads('a'), version: 1 });
    expect(legacy.data).toEqual({ name: 'told', rules: reads('a'), ...facts });
    expect(await read('root')).toMatchObject({ version: 0, policy: '' });
    expect(await read('default')).toMatchObject({ version: 1 });
  });

  it('is the version that a write may have to name', async () => {
    expect(outcome(await write('counted', { policy: reads('a'), cas: 3 }))).toEqual([400, MISMATCH]);
    expect((await write('counted', { policy: reads('a'), cas: -1 })).status).toBe(204);
    expect(outcome(await write('counted', { policy: reads('b'), cas: -1 }))).toEqual([
      400,
      'check-and-set parameter set to -1 on existing entry',
    ]);
    expect(outcome(await write('counted', { policy: reads('b'), cas: 0 }))).toEqual([400, MISMATCH]);
    expect(outcome(await write('counted', { policy: reads('b'), cas_required: true }))).toEqual([400, REQUIRED]);
    expect((await write('counted', { policy: reads('b'), cas: 1, cas_required: true })).status).toBe(204);
    expect(outcome(await write('counted', { policy: reads('c') }))).toEqual([400, REQUIRED]);
    const legacy = await server.root('PUT', '/v1/sys/policy/counted', { policy: reads('c') });
    expect(outcome(legacy)).toEqual([400, REQUIRED]);
    expect(await read('counted')).toMatchObject({ policy: reads('b'), version: 2, cas_required: true });
    // A write resets omitted fields to the defaults of a new policy.
    expect((await write('counted', { policy: reads('c'), cas: 2 })).status).toBe(204);
    expect(await read('counted')).toMatchObject({ version: 3, cas_required: false });
    expect((await server.root('DELETE', '/v1/sys/policies/acl/counted')).status).toBe(204);
    expect((await write('counted', { policy: reads('d'), cas: 0 })).status).toBe(204);
    expect((await read('counted')).version).toBe(1);
  });

  it('is the version, which one of several writers at once gets', async () => {
    const beside = await startTestServer(kind, { beside: server });
    try {
      await write('raced', { policy: reads('a') });
      const answers = await Promise.all(
        [server, beside, server, beside].map((node, number) =>
          node.root('PUT', '/v1/sys/policies/acl/raced', { policy: reads(`x${number}`), cas: 1 }),
        ),
      );
      expect(answers.map(outcome).toSorted()).toEqual([
        [204, undefined],
        [400, MISMATCH],
        [400, MISMATCH],
        [400, MISMATCH],
      ]);
      const winner = answers.findIndex(({ status }) => status === 204);
      expect(await read('raced')).toMatchObject({ policy: reads(`x${winner}`), version: 2 });
    } finally {
      await beside.stop();
    }
  });

  it('is changed separately by PATCH', async () => {
    await write('mended', { policy: reads('a'), allow_slashes_in_identity_templates: true, ttl: 3600 });
    const before = await read('mended');
    expect((await patch('mended', { allow_wildcards_in_identity_templates: true })).status).toBe(204);
    expect(await read('mended')).toEqual({
      ...before,
      version: 2,
      allow_wildcards_in_identity_templates: true,
      allow_slashes_in_identity_templates: true,
      modified: expect.any(String),
    });
    expect((await patch('mended', { policy: Buffer.from(reads('b')).toString('base64'), cas: 2 })).status).toBe(204);
    expect(await read('mended')).toMatchObject({ policy: reads('b'), version: 3, expiration: before.expiration });
    expect(outcome(await patch('mended', { policy: reads('c'), cas: 1 }))).toEqual([400, MISMATCH]);
    expect(outcome(await patch('mended', { policy: '' }))).toEqual([400, "'policy' parameter not supplied or empty"]);
    expect(outcome(await patch('mended', { policy: 'path {' }))).toEqual([
      400,
      expect.stringContaining('failed to parse policy'),
    ]);
    expect(outcome(await patch('nothing', { policy: reads('a') }))).toEqual([404, 'policy not found']);
    expect(outcome(await patch('root', { policy: reads('a'), cas: 0 }))).toEqual([400, 'cannot update "root" policy']);
    expect((await patch('Mended', { cas_required: true })).body.warnings).toEqual([
      'policy name was converted to mended',
    ]);
    expect(await read('mended')).toMatchObject({ policy: reads('b'), version: 4, cas_required: true });
  });

  it('is its end: from then on it gives nothing, on every node, and is not there', async () => {
    const beside = await startTestServer(kind, { beside: server });
    try {
      const path = 'sys/policies/acl/default';
      await write('ending', { policy: reads(path), ttl: '60s' });
      const token = await tokenWith('ending');
      const statuses = async () => [
        (await server.call('GET', `/v1/${path}`, { token })).status,
        (await beside.call('GET', `/v1/${path}`, { token })).status,
      ];
      expect(await statuses()).toEqual([200, 200]);
      const { expiration } = await read('ending');
      expect(Date.parse(expiration)).toBeGreaterThan(Date.now());
      server.advance(59);
      beside.advance(60);
      expect(await statuses()).toEqual([200, 403]);
      server.advance(1);
      expect(await statuses()).toEqual([403, 403]);
      expect((await server.root('GET', '/v1/sys/policies/acl/ending')).status).toBe(404);
      expect((await server.root('LIST', '/v1/sys/policies/acl')).body.data.keys).not.toContain('ending');
      const explained = { policies: ['ending'], path, capability: 'read' };
      const { data } = (await server.root('POST', '/v1/sys/policies/explain', explained)).body;
      expect(data).toMatchObject({ allowed: false, missing_policies: ['ending'] });
      expect(outcome(await patch('ending', { ttl: 60 }))).toEqual([404, 'policy not found']);
      // The name can be used again for a new policy.
      expect((await write('ending', { policy: reads(path), cas: -1 })).status).toBe(204);
      expect((await statuses())[0]).toBe(200);
      expect(await read('ending')).toMatchObject({ version: 1 });
      expect(await read('ending')).not.toHaveProperty('expiration');
    } finally {
      await beside.stop();
    }
  });

  it.each([
    [{ ttl: 0 }, 'refusing to update policy as expiration time has already elapsed'],
    [{ expiration: '2001-01-01T00:00:00Z' }, 'refusing to update policy as expiration time has already elapsed'],
    [{ ttl: 60, expiration: '2101-01-01T00:00:00Z' }, "cannot supply both 'expiration' and 'ttl' for policies"],
    [{ expiration: 'tomorrow' }, 'expected a time such as'],
    [{ ttl: 'long' }, 'a duration is'],
    [{ cas: 'x' }, 'expected an integer'],
    [{ cas_required: 'perhaps' }, 'expected true or false'],
    [{ allow_slashes_in_identity_templates: [] }, 'expected true or false'],
  ])('is refused, and nothing written: %j', async (said, message) => {
    expect(outcome(await write('refused', { policy: reads('a'), ...said }))).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect((await server.root('GET', '/v1/sys/policies/acl/refused')).status).toBe(404);
  });

  it('is no end of the default policy, which cannot be deleted either', async () => {
    expect(outcome(await write('default', { policy: reads('a'), ttl: 60 }))).toEqual([
      400,
      'the default policy cannot expire',
    ]);
  });

  it('allows slashes and wildcards in template values, each if the policy says so', async () => {
    const login = async (subject: string): Promise<string> => {
      const certificate = ca.issue({ subject });
      const { body } = await server.call('POST', '/v1/auth/cert/login', { certificate, body: { name: 'web' } });
      return body.auth.client_token;
    };
    const mounts = (await server.root('GET', '/v1/sys/auth')).body.data;
    const name = `{{identity.entity.aliases.${mounts['cert/'].accessor}.name}}`;
    const policy = reads(`things/${name}`);
    const capabilities = async (token: string, path: string) =>
      (await server.root('POST', '/v1/sys/capabilities', { token, path })).body.data.capabilities;
    const [sliced, starred] = [await login('team/a'), await login('team-*')];
    const seen = async () => [
      await capabilities(sliced, 'things/team/a'),
      await capabilities(starred, 'things/team-b'),
    ];
    await write('fills', { policy });
    expect(await seen()).toEqual([['deny'], ['deny']]);
    await write('fills', { policy, allow_slashes_in_identity_templates: true });
    expect(await seen()).toEqual([['read'], ['deny']]);
    await write('fills', { policy, allow_wildcards_in_identity_templates: true });
    expect(await seen()).toEqual([['deny'], ['read']]);
    await patch('fills', { allow_slashes_in_identity_templates: true });
    expect(await seen()).toEqual([['read'], ['read']]);
  });

  it('is listed below a name, and with all details', async () => {
    for (const name of ['team/a', 'team/b', 'team0', 'teams']) await write(name, { policy: reads(name) });
    for (const path of ['policies/acl/team', 'policies/acl/Team/', 'policy/team']) {
      expect((await server.root('LIST', `/v1/sys/${path}`)).body.data.keys).toEqual(['team/a', 'team/b']);
    }
    expect((await server.root('LIST', '/v1/sys/policies/acl/team?after=team/a')).body.data.keys).toEqual(['team/b']);
    expect((await server.root('LIST', '/v1/sys/policies/acl/nothing')).body).toEqual({ errors: [] });
    const below = (await server.root('LIST', '/v1/sys/policies/detailed/acl/team')).body.data;
    expect(below.keys).toEqual(['team/a', 'team/b']);
    expect(below.key_info['team/b']).toEqual(await read('team/b'));
    const all = (await server.root('LIST', '/v1/sys/policies/detailed/acl')).body.data;
    expect(all.keys).toEqual((await server.root('LIST', '/v1/sys/policies/acl')).body.data.keys);
    expect(all.key_info.default.policy).toContain('auth/token/lookup-self');
  });

  it('is listed with details, up to the size of one response', async () => {
    const filler = `${reads('a')}\n#${' '.repeat(400_000)}`;
    for (const name of ['long/a', 'long/b', 'long/c']) await write(name, { policy: filler });
    const path = '/v1/sys/policies/detailed/acl/long';
    expect(outcome(await server.root('LIST', path))).toEqual([400, expect.stringContaining("'limit' and 'after'")]);
    expect((await server.root('LIST', `${path}?limit=2`)).body.data.keys).toEqual(['long/a', 'long/b']);
  });
});
