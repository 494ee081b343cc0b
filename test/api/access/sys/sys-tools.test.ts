import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { version } from '../../../../src/version.ts';
import { databaseKinds } from '../../../support/databases.ts';
import type { Answer } from '../../../support/http.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const outcome = ({ status, body }: Answer) => [status, body?.errors?.[0]];
const olderVersion = sql<{ version: string; installed_at: number }>(
  'INSERT INTO program_version (version, installed_at) VALUES (:version, :installed_at)',
);

describe.each(databaseKinds)('other operations that clients use, on %s', (kind) => {
  let server: TestServer;
  const tools = (path: string, body: unknown = {}, method = 'POST') =>
    server.root(method, `/v1/sys/tools/${path}`, body);
  const tokenWith = async (policy: string, ...more: string[]): Promise<string> => {
    await server.root('PUT', '/v1/sys/policies/acl/mine', { policy });
    const { body } = await server.root('POST', '/v1/auth/token/create', { policies: ['mine', ...more] });
    return body.auth.client_token;
  };

  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.stop());

  describe('random bytes', () => {
    const bytes = async (path: string, body: object = {}, encoding: 'hex' | 'base64' = 'base64') =>
      Buffer.from((await tools(path, body)).body.data.random_bytes, encoding).length;

    it('have the length in the body or in the path, which takes precedence', async () => {
      expect(await bytes('random')).toBe(32);
      expect(await bytes('random', { bytes: '7' })).toBe(7);
      expect(await bytes('random/9', { bytes: 7 })).toBe(9);
      expect(await bytes('random/platform', { bytes: 7 })).toBe(7);
      expect(await bytes('random/all/11', { bytes: 7 })).toBe(11);
      expect(await bytes('random/131072')).toBe(131_072);
      expect(await bytes('random/5', { format: 'hex' }, 'hex')).toBe(5);
      const [one, other] = [await tools('random'), await tools('random', {}, 'PUT')];
      expect(one.body.data).not.toEqual(other.body.data);
    });

    it('come from one source, and a request for another source is refused', async () => {
      expect((await tools('random/seal/3')).body.warnings).toEqual([expect.stringContaining('no seal')]);
      expect((await tools('random/platform/3')).body.warnings).toBeNull();
    });

    it.each([
      ['random/0', {}, "'bytes' cannot be less than 1"],
      ['random/-1', {}, "'bytes' cannot be less than 1"],
      ['random/131073', {}, "'bytes' cannot be more than 131072"],
      ['random', { bytes: 1e9 }, "'bytes' cannot be more than 131072"],
      ['random', { bytes: 'many' }, 'expected an integer'],
      ['random/moon', {}, 'error parsing url-set byte count'],
      ['random/moon/3', {}, 'unsupported entropy source'],
      ['random', { source: 'moon' }, 'unsupported entropy source'],
      ['random', { format: 'base32' }, 'unsupported encoding format'],
    ])('are refused for %s %j', async (path, body, message) => {
      expect(outcome(await tools(path, body))).toEqual([400, expect.stringContaining(message)]);
    });
  });

  describe('hashes', () => {
    const text = Buffer.from('adhocly');
    const input = text.toString('base64');
    const sum = async (path: string, body: object) => (await tools(path, body)).body.data.sum;

    it.each([
      ['sha2-224', 'sha224'],
      ['sha2-256', 'sha256'],
      ['sha2-384', 'sha384'],
      ['sha2-512', 'sha512'],
      ['sha3-224', 'sha3-224'],
      ['sha3-256', 'sha3-256'],
      ['sha3-384', 'sha3-384'],
      ['sha3-512', 'sha3-512'],
    ])('are made by %s', async (algorithm, name) => {
      const digest = (encoding: 'hex' | 'base64') => createHash(name).update(text).digest(encoding);
      expect(await sum('hash', { input, algorithm })).toBe(digest('hex'));
      expect(await sum(`hash/${algorithm}`, { input, format: 'base64', algorithm: 'sha2-256' })).toBe(digest('base64'));
    });

    it('use SHA-256 in hex by default, also for empty input', async () => {
      expect(await sum('hash', { input })).toBe(createHash('sha256').update(text).digest('hex'));
      expect(await sum('hash', {})).toBe(createHash('sha256').digest('hex'));
    });

    it('cover every byte of the largest body', async () => {
      const long = randomBytes(700_001);
      const expected = createHash('sha3-512').update(long).digest('hex');
      expect(await sum('hash/sha3-512', { input: long.toString('base64') })).toBe(expected);
    });

    it.each([
      ['hash', { input: '!!!' }, 'unable to decode input as base64'],
      ['hash', { input: `${'AAAA'.repeat(50_000)}!!!!` }, 'unable to decode input as base64'],
      ['hash', { input, algorithm: 'md5' }, 'unsupported algorithm'],
      ['hash/sha2-255', { input }, 'unsupported algorithm'],
      ['hash', { input, format: 'base32' }, 'unsupported encoding format'],
      ['hash', { input: {} }, 'expected a string'],
    ])('are refused: %s %o', async (path, body, message) => {
      expect(outcome(await tools(path, body))).toEqual([400, expect.stringContaining(message)]);
    });

    it('are for every token with the default policy, random bytes are not', async () => {
      const token = await tokenWith('path "nothing" { capabilities = ["read"] }', 'default');
      for (const [path, status] of [
        ['hash', 200],
        ['hash/sha3-256', 200],
        ['random', 403],
      ] as const) {
        const answer = await server.call('POST', `/v1/sys/tools/${path}`, { token, body: { input } });
        expect([path, answer.status]).toEqual([path, status]);
      }
    });
  });

  it('its versions: one entry for each, from its first start on', async () => {
    const current = `1.16.0+lockkeeper.${version}`;
    const installedAt = Date.UTC(2020, 0, 1);
    await server.application.databases.access.run(olderVersion, { version: '1.0.0', installed_at: installedAt });
    const beside = await startTestServer(kind, { beside: server });
    try {
      for (const [node, path] of [
        [server, 'version-history'],
        [beside, 'version-history/'],
      ] as const) {
        const { data } = (await node.root('LIST', `/v1/sys/${path}`)).body;
        expect(data.keys).toEqual(['1.0.0', current]);
        expect(data.key_info).toEqual({
          '1.0.0': {
            previous_version: null,
            timestamp_installed: '2020-01-01T00:00:00.000Z',
            build_date: '',
            commit_date: '',
          },
          [current]: {
            previous_version: '1.0.0',
            timestamp_installed: expect.stringMatching(/^20/),
            build_date: '',
            commit_date: '',
          },
        });
      }
    } finally {
      await beside.stop();
    }
  });

  describe('the effective policy of a token', () => {
    const resultant = async (token: string) => server.call('GET', '/v1/sys/internal/ui/resultant-acl', { token });

    it('is everything for root', async () => {
      expect((await resultant(server.rootToken)).body.data).toEqual({ root: true });
    });

    it('lists each path, with templates filled in and rules of several policies merged', async () => {
      await server.root('PUT', '/v1/sys/policies/acl/other', {
        policy: `path "a/b" { capabilities = ["list"] } path "c/*" { capabilities = ["deny"] }`,
      });
      const token = await tokenWith(
        `path "a/b" {
          capabilities = ["create", "read"]
          min_wrapping_ttl = "1m"
          allowed_parameters = { name = ["x", "y"] }
          denied_parameters = { "*" = [] }
          required_parameters = ["name"]
        }
        path "c/*" { capabilities = ["read"] }
        path "d/+/e*" { capabilities = ["update", "sudo"] }
        path "f/{{identity.entity.name}}" { capabilities = ["read"] }
        path "g" { capabilities = [] }`,
        'other',
      );
      const { data } = (await resultant(token)).body;
      expect(data.root).toBe(false);
      expect(data.exact_paths).toMatchObject({
        'a/b': {
          capabilities: ['create', 'list', 'read'],
          min_wrapping_ttl: 60,
          allowed_parameters: { name: ['x', 'y'] },
          denied_parameters: { '*': [] },
          required_parameters: ['name'],
        },
        g: { capabilities: ['deny'] },
        'sys/tools/hash': { capabilities: ['update'] },
      });
      expect(Object.keys(data.exact_paths).filter((path) => path.startsWith('f/'))).toEqual([]);
      expect(data.glob_paths).toEqual({
        'c/': { capabilities: ['deny'] },
        'd/+/e*': { capabilities: ['sudo', 'update'] },
        'sys/tools/hash/': { capabilities: ['update'] },
      });
    });

    it('lists paths of templates with the values of the caller', async () => {
      await server.root('PUT', '/v1/sys/policies/acl/who', {
        policy: 'path "f/{{identity.entity.name}}/*" { capabilities = ["read"] }',
      });
      await server.root('POST', '/v1/auth/token/roles/machines', { allowed_entity_aliases: '*' });
      const made = await server.root('POST', '/v1/auth/token/create/machines', {
        policies: ['who'],
        entity_alias: 'machine',
      });
      const token = made.body.auth.client_token;
      const entity = await server.root('GET', `/v1/identity/entity/id/${made.body.auth.entity_id}`);
      const { data } = (await resultant(token)).body;
      expect(data.glob_paths).toMatchObject({ [`f/${entity.body.data.name}/`]: { capabilities: ['read'] } });
      expect(data.exact_paths).toHaveProperty([`identity/entity/id/${made.body.auth.entity_id}`]);
    });

    it('is refused when it is too large for one response', async () => {
      const paths = Array.from({ length: 5001 }, (_, i) => `path "p/${i}" { capabilities = ["read"] }`).join('\n');
      const token = await tokenWith(paths, 'default');
      expect(outcome(await resultant(token))).toEqual([400, expect.stringContaining('more than 5000 paths')]);
    });
  });

  it('leases that cannot be revoked: there are none', async () => {
    const count = await server.root('GET', '/v1/sys/leases/count?type=irrevocable');
    expect(count.body.data).toEqual({ lease_count: 0, counts: {} });
    for (const query of ['type=Irrevocable', 'type=irrevocable&limit=none', 'type=irrevocable&limit=5']) {
      const list = await server.root('GET', `/v1/sys/leases?${query}`);
      expect([list.status, list.body.data]).toEqual([200, { lease_count: 0, leases: [] }]);
    }
    for (const limit of ['0', '-1', 'x']) {
      const refused = await server.root('GET', `/v1/sys/leases?type=irrevocable&limit=${limit}`);
      expect(outcome(refused)).toEqual([400, "limit must be 'none' or a positive integer"]);
    }
    for (const path of ['leases/count', 'leases', 'leases/count?type=other']) {
      expect((await server.root('GET', `/v1/sys/${path}`)).status).toBe(404);
    }
  });

  it('empty lists return 404 without an error, as clients expect', async () => {
    for (const path of [
      'namespaces',
      'policies/password',
      'quotas/rate-limit',
      'quotas/lease-count',
      'config/ui/headers',
      'plugins/catalog/secret',
    ]) {
      const answer = await server.root('LIST', `/v1/sys/${path}`);
      expect([path, answer.status, answer.body]).toEqual([path, 404, { errors: [] }]);
    }
    const read = async (path: string) => (await server.root('GET', `/v1/sys/${path}`)).body.data;
    expect(await read('config/cors')).toEqual({ enabled: false });
    expect(await read('config/auditing/request-headers')).toEqual({ headers: {} });
    expect(await read('locked-users')).toEqual({ by_namespace: [], total: 0 });
  });

  it('its plugins: the methods that can be mounted', async () => {
    const { data } = (await server.root('GET', '/v1/sys/plugins/catalog')).body;
    expect(data).toMatchObject({ auth: ['cert', 'jwt', 'oidc'], secret: [], database: [] });
    const methods = ['cert', 'jwt', 'oidc'];
    expect(data.detailed).toEqual(
      methods.map((name) => expect.objectContaining({ name, type: 'auth', builtin: true })),
    );
    expect((await server.root('LIST', '/v1/sys/plugins/catalog/auth')).body.data.keys).toEqual(methods);
    expect((await server.root('GET', '/v1/sys/plugins/catalog/auth/cert')).body.data).toMatchObject({
      name: 'cert',
      builtin: true,
    });
    for (const name of ['auth/kerberos', 'secret/cert', 'auth/constructor']) {
      expect((await server.root('GET', `/v1/sys/plugins/catalog/${name}`)).status).toBe(404);
    }
    expect((await server.root('LIST', '/v1/sys/plugins/catalog/nothing')).status).toBe(400);
  });

  it('unsupported features get an error: unsupported path, or an alternative', async () => {
    for (const path of ['ha-status', 'key-status', 'host-info', 'in-flight-req', 'storage/raft/configuration']) {
      const answer = await server.root('GET', `/v1/sys/${path}`);
      expect([path, ...outcome(answer)]).toEqual([path, 404, '1 error occurred:\n\t* unsupported path\n\n']);
    }
    const made = await server.root('POST', '/v1/sys/plugins/catalog/auth/mine', { command: 'x' });
    expect(outcome(made)).toEqual([405, '1 error occurred:\n\t* unsupported operation\n\n']);
  });
});
