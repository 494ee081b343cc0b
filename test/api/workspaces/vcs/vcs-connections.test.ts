import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { privateKey } from '../../../support/samples/private-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

const GITHUB = {
  'service-provider': 'github',
  'http-url': 'https://github.example.com',
  'api-url': 'https://api.github.example.com',
  'oauth-token-string': 'gho_tell-nobody',
};
const DATA_CENTER = {
  'service-provider': 'bitbucket_data_center',
  'http-url': 'https://bb.example.com',
  'api-url': 'https://bb.example.com',
};

const selectSealed = sql<Record<string, never>, { value: Uint8Array | null }>(
  `SELECT secrets AS value FROM oauth_client UNION ALL SELECT token FROM oauth_token
   UNION ALL SELECT ssh_key FROM oauth_token`,
);

describe.each(databaseKinds)('VCS connections on %s (facts §6.8)', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const body = (attributes: object, relationships = {}) => ({
    data: { type: 'oauth-clients', attributes, relationships },
  });
  const path = () => `/organizations/${acme.name}/oauth-clients`;
  async function create(attributes: object = GITHUB, relationships = {}) {
    const made = await acme.owner.call('POST', path(), body(attributes, relationships));
    expect(made.status, made.text).toBe(201);
    return made.body.data;
  }
  const tokenOf = (client: { relationships: Record<string, { data: { id: string }[] }> }): string =>
    client.relationships['oauth-tokens']?.data[0]?.id ?? '';

  test('a connection is made, shown and listed alike, without its secrets, and deleted with its token', async () => {
    const client = await create();
    expect(client).toEqual({
      id: expect.stringMatching(/^oc-[1-9A-Za-z]{16}$/),
      type: 'oauth-clients',
      attributes: {
        name: null,
        'created-at': new Date(api.now()).toISOString(),
        'api-url': GITHUB['api-url'],
        'http-url': GITHUB['http-url'],
        'updated-at': new Date(api.now()).toISOString(),
        uuid: client.attributes.uuid,
        'callback-url': `http://keeper.example.com:8443/auth/${client.attributes.uuid}/callback`,
        'connect-path': `/auth/${client.attributes.uuid}?organization_id=${acme.name}`,
        key: null,
        'ado-entra-tenant-id': null,
        'rsa-public-key': null,
        secret: null,
        'service-provider': 'github',
        'service-provider-display-name': 'GitHub',
        'organization-scoped': true,
        'allowed-repositories': [],
        'affected-workspaces-count': 0,
        'connection-status': 'unverified',
        'connection-status-reason': null,
        'connection-status-since': null,
        'connection-checked-at': null,
      },
      relationships: {
        organization: { data: { type: 'organizations', id: acme.name } },
        'agent-pool': { data: null },
        'oauth-tokens': {
          data: [{ type: 'oauth-tokens', id: expect.stringMatching(/^ot-[1-9A-Za-z]{16}$/) }],
          links: { related: `/api/v2/oauth-clients/${client.id}/oauth-tokens` },
        },
        projects: { data: [] },
      },
      links: { self: `/api/v2/oauth-clients/${client.id}` },
    });
    const shown = await acme.owner.call('GET', `/oauth-clients/${client.id}?include=oauth_tokens`);
    expect(shown.body.data).toEqual(client);
    expect(shown.body.included).toMatchObject([{ type: 'oauth-tokens', id: tokenOf(client) }]);
    const listed = await acme.owner.call('GET', path());
    expect(listed.body.data).toContainEqual(client);
    for (const { text } of [shown, listed]) expect(text).not.toContain('tell-nobody');

    expect((await acme.owner.call('DELETE', `/oauth-clients/${client.id}`)).status).toBe(204);
    for (const gone of [`/oauth-clients/${client.id}`, `/oauth-tokens/${tokenOf(client)}`]) {
      expect((await acme.owner.call('GET', gone)).status).toBe(404);
      expect((await acme.owner.call('DELETE', gone)).status).toBe(404);
    }
  });

  test('whatever is secret is stored sealed', async () => {
    const client = await create({ ...GITHUB, key: 'id', secret: 'secret-tell-nobody' });
    await acme.owner.call('PATCH', `/oauth-tokens/${tokenOf(client)}`, {
      data: { type: 'oauth-tokens', attributes: { 'ssh-key': privateKey } },
    });
    const sealed = await api.workspaces.database.all(selectSealed, {});
    expect(sealed.length).toBeGreaterThan(2);
    for (const { value } of sealed) {
      const stored = Buffer.from(value ?? []).toString('latin1');
      expect(stored).not.toContain('tell-nobody');
      expect(stored).not.toContain(privateKey.split('\n')[1]);
    }
  });

  test('a change keeps absent attributes; a consumer key cannot be removed', async () => {
    const keys = { key: 'consumer', secret: privateKey, 'rsa-public-key': 'public' };
    const client = await create({ ...DATA_CENTER, ...keys });
    expect(client.relationships['oauth-tokens'].data).toEqual([]);
    const patch = (attributes: object) => acme.owner.call('PATCH', `/oauth-clients/${client.id}`, body(attributes));
    const changed = await patch({ key: 'another' });
    expect(changed.body.data.attributes).toMatchObject({ key: 'another', 'rsa-public-key': 'public' });
    expect((await patch({ 'organization-scoped': false, name: 'n' })).body.data.attributes).toMatchObject({
      name: 'n',
      key: 'another',
      'organization-scoped': false,
    });
    const withToken = await patch({ 'oauth-token-string': 'now' });
    expect(withToken.body.data.relationships['oauth-tokens'].data).toHaveLength(1);
    expect((await patch({ 'oauth-token-string': 'again' })).body.data).toEqual(withToken.body.data);
    const refused = await patch({ key: '' });
    expect(refused.status).toBe(422);
    expect(issuesOf(refused)[0]).toContain('Bitbucket Data Center must be present');
  });

  test('missing attributes of a provider are reported with their pointer', async () => {
    const { 'oauth-token-string': _, ...bare } = GITHUB;
    const pool = { 'agent-pool': { data: { type: 'agent-pools', id: '! / nope' } } };
    const refused = [
      await acme.owner.call('POST', path(), body(bare)),
      await acme.owner.call('POST', path(), body({ ...GITHUB, 'http-url': 'ftp://x', 'api-url': 'nowhere' })),
      await acme.owner.call('POST', path(), body({ ...GITHUB, 'private-key': 'x' })),
      await acme.owner.call('POST', path(), body(GITHUB, pool)),
      await acme.owner.call('POST', path(), body({ ...GITHUB, 'service-provider': 'sourceforge' })),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
    expect(refused.flatMap(issuesOf).slice(0, 5)).toEqual([
      '/data/attributes/oauth-token-string: An OAuth token, or a key and a secret, is required',
      '/data/attributes/http-url: HTTP URL must be an http or https URL',
      '/data/attributes/api-url: API URL must be an http or https URL',
      '/data/attributes/private-key: A private key is only allowed for Azure DevOps Server',
      '/data/relationships/agent-pool: the provided agent pool does not exist or you are not authorized to use it',
    ]);
    for (const { text } of refused) expect(text).not.toContain('tell-nobody');
  });

  test('a connection without a credential has a callback URL, and gets its credential later', async () => {
    const { 'oauth-token-string': _, ...place } = GITHUB;
    const refused = await acme.owner.call('POST', path(), { data: { type: 'oauth-clients', attributes: place } });
    expect(refused.status).toBe(422);
    const attributes = { ...place, 'credential-later': true };
    const made = await acme.owner.call('POST', path(), { data: { type: 'oauth-clients', attributes } });
    expect(made.status, made.text).toBe(201);
    const { data } = made.body;
    expect(data.attributes).toMatchObject({
      'connection-status': 'unverified',
      'connection-status-reason': 'The connection has no token',
      'callback-url': expect.stringMatching(/\/auth\/[0-9a-f-]{36}\/callback$/),
    });
    expect(tokenOf(data)).toBe('');
    const later = { data: { type: 'oauth-clients', attributes: { key: 'key', secret: 'secret' } } };
    const changed = await acme.owner.call('PATCH', `/oauth-clients/${data.id}`, later);
    expect(changed.body.data.attributes).toMatchObject({ key: 'key', 'callback-url': data.attributes['callback-url'] });
  });

  test('a connection counts the workspaces that follow a repository by it', async () => {
    const client = await create();
    const workspace = (name: string) =>
      acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, {
        data: {
          type: 'workspaces',
          attributes: { name, 'vcs-repo': { identifier: 'acme/infra', 'oauth-token-id': tokenOf(client) } },
        },
      });
    const count = async () =>
      (await acme.owner.call('GET', `/oauth-clients/${client.id}`)).body.data.attributes['affected-workspaces-count'];
    const first = await workspace('counted-1');
    expect(first.status, first.text).toBe(201);
    await workspace('counted-2');
    expect(await count()).toBe(2);
    await acme.owner.call('DELETE', `/workspaces/${first.body.data.id}`);
    expect(await count()).toBe(1);
  });

  test('projects are added and removed; those of another organization are passed over, or refused', async () => {
    const [one, two] = [await acme.project('One'), await acme.project('Two')];
    const foreign = await newOrganization(api);
    const given = { projects: { data: [one, foreign.defaultProjectId].map((id) => ({ type: 'projects', id })) } };
    const client = await create(GITHUB, given);
    expect(client.relationships.projects.data).toEqual([{ type: 'projects', id: one }]);
    const projects = `/oauth-clients/${client.id}/relationships/projects`;
    const list = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'projects', id })) });
    expect((await acme.owner.call('POST', projects, list(two, one))).status).toBe(204);
    expect((await acme.owner.call('POST', projects, list(foreign.defaultProjectId))).status).toBe(422);
    const both = await acme.owner.call('GET', `/oauth-clients/${client.id}?include=projects`);
    expect(both.body.included.map(({ id }: { id: string }) => id).toSorted()).toEqual([one, two].toSorted());
    expect((await acme.owner.call('DELETE', projects, list(one, two, 'prj-none'))).status).toBe(204);
    const none = await acme.owner.call('GET', `/oauth-clients/${client.id}`);
    expect(none.body.data.relationships.projects.data).toEqual([]);
  });

  test('tokens are listed, shown and given a key, which has to be one', async () => {
    const client = await create();
    const id = tokenOf(client);
    const shown = await acme.owner.call('GET', `/oauth-tokens/${id}`);
    expect(shown.body.data).toMatchObject({
      attributes: { 'has-ssh-key': false, 'service-provider-user': '' },
      relationships: { 'oauth-client': { data: { type: 'oauth-clients', id: client.id } } },
    });
    for (const list of [`/organizations/${acme.name}/oauth-tokens`, `/oauth-clients/${client.id}/oauth-tokens`]) {
      expect((await acme.owner.call('GET', list)).body.data).toContainEqual(shown.body.data);
    }
    const patch = (attributes: object) =>
      acme.owner.call('PATCH', `/oauth-tokens/${id}`, { data: { type: 'oauth-tokens', attributes } });
    expect((await patch({})).body.data.attributes['has-ssh-key']).toBe(false);
    const invalid = await patch({ 'ssh-key': 'not-a-key-but-secret' });
    expect(invalid.status).toBe(422);
    expect(issuesOf(invalid)).toEqual([
      expect.stringMatching(/^\/data\/attributes\/ssh-key: Ssh key is invalid: it is not a private key/),
    ]);
    expect(invalid.text).not.toContain('not-a-key-but-secret');
    expect((await patch({ 'ssh-key': privateKey })).body.data.attributes['has-ssh-key']).toBe(true);
    expect((await patch({})).body.data.attributes['has-ssh-key']).toBe(true);
    expect((await patch({ 'ssh-key': null })).body.data.attributes['has-ssh-key'], 'null removes it').toBe(false);
    expect((await acme.owner.call('DELETE', `/oauth-tokens/${id}`)).status).toBe(204);
    expect((await acme.owner.call('GET', `/oauth-tokens/${id}`)).status).toBe(404);
  });

  test('no app is installed', async () => {
    const installations = await acme.owner.call('GET', '/github-app/installations');
    expect(installations.status).toBe(200);
    expect(installations.body).toMatchObject({ data: [], meta: { pagination: { 'total-count': 0 } } });
  });

  test('connections are managed by users who manage VCS settings, and readable by users who assign them to workspaces', async () => {
    const client = await create();
    const vcs = await acme.machine('vcs', { 'manage-vcs-settings': true });
    const manager = await acme.machine('workspaces', { 'manage-workspaces': true });
    const reader = await acme.machine('reads', { 'read-workspaces': true });
    const one = `/oauth-clients/${client.id}`;
    expect((await vcs.call('PATCH', one, body({ name: 'theirs' }))).status).toBe(200);
    expect((await manager.call('GET', one)).status).toBe(200);
    expect((await manager.call('GET', `/oauth-tokens/${tokenOf(client)}`)).status).toBe(200);
    expect((await manager.call('PATCH', one, body({ name: 'x' }))).status).toBe(404);
    expect((await manager.call('DELETE', one)).status).toBe(404);
    expect((await manager.call('DELETE', `/oauth-tokens/${tokenOf(client)}`)).status).toBe(404);
    for (const hidden of [
      path(),
      one,
      `/oauth-tokens/${tokenOf(client)}`,
      `/organizations/${acme.name}/oauth-tokens`,
    ]) {
      expect((await reader.call('GET', hidden)).status, hidden).toBe(404);
    }
  });
});
