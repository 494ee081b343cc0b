import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../../src/storage/index.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

/** Writes settings as an earlier version did. */
const replaceSettings = sql<{ id: string; from: string; to: string }>(
  'UPDATE workspace SET settings = replace(settings, :from, :to), version = version + 1 WHERE id = :id',
);

describe.each(databaseKinds)('the repository of a workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let token: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    token = await connect(acme, { name: 'code' });
  });
  afterAll(() => api.close());

  async function connect(organization: TestOrganization, attributes = {}, relationships = {}): Promise<string> {
    const made = await organization.owner.call('POST', `/organizations/${organization.name}/oauth-clients`, {
      data: {
        type: 'oauth-clients',
        attributes: {
          'service-provider': 'github',
          'http-url': 'https://github.example.com/',
          'api-url': 'https://github.example.com/api',
          'oauth-token-string': 'dummy',
          ...attributes,
        },
        relationships,
      },
    });
    expect(made.status, made.text).toBe(201);
    return made.body.data.relationships['oauth-tokens'].data[0].id;
  }
  const create = (attributes: object) =>
    acme.owner.call(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: `v-${++names}`, ...attributes }),
    );
  const patch = (id: string, attributes: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));
  const repo = (more = {}) => ({ identifier: 'acme/infra', 'oauth-token-id': token, ...more });

  test('§2.3: the document shows all of its fields', async () => {
    const made = await create({ 'vcs-repo': repo({ branch: 'main', 'ingress-submodules': true }) });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      'oauth-client-name': 'code',
      'vcs-repo-identifier': 'acme/infra',
      'vcs-repo': {
        branch: 'main',
        'display-identifier': 'acme/infra',
        'github-app-installation-id': null,
        identifier: 'acme/infra',
        'ingress-submodules': true,
        'oauth-token-id': token,
        'repository-http-url': 'https://github.example.com/acme/infra',
        'service-provider': 'github',
        tags: false,
        'tags-regex': null,
        'webhook-url': null,
      },
    });
    const shown = await acme.owner.call('GET', `/workspaces/${made.body.data.id}`);
    expect(shown.body.data).toEqual(made.body.data);
  });

  test('§4.2: an object changes the given fields, an empty branch is the default one, and null removes the repository', async () => {
    const { body } = await create({ 'vcs-repo': repo({ branch: 'main' }) });
    const { id } = body.data;
    const changed = await patch(id, { 'vcs-repo': { 'tags-regex': 'v.*' } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.data.attributes['vcs-repo']).toMatchObject({ branch: 'main', 'tags-regex': 'v.*', tags: true });
    const branch = await patch(id, { 'vcs-repo': { branch: '' } });
    expect(branch.body.data.attributes['vcs-repo']).toMatchObject({ branch: '', 'tags-regex': 'v.*' });
    const kept = await patch(id, { description: 'x' });
    expect(kept.body.data.attributes['vcs-repo']).toEqual(branch.body.data.attributes['vcs-repo']);
    const gone = await patch(id, { 'vcs-repo': null });
    expect(gone.body.data.attributes).toMatchObject({
      'vcs-repo': null,
      'vcs-repo-identifier': null,
      'oauth-client-name': null,
    });
    const half = await patch(id, { 'vcs-repo': { branch: 'main' } });
    expect(issuesOf(half)[0]).toContain('/data/attributes/vcs-repo:');
  });

  test('§4.2: tags, patterns and prefixes exclude each other: a new one removes the others', async () => {
    const { body } = await create({ 'vcs-repo': repo(), 'trigger-prefixes': ['/a'] });
    const { id } = body.data;
    const triggers = async (attributes: object) => {
      const { attributes: now } = (await patch(id, attributes)).body.data;
      return [now['trigger-prefixes'], now['trigger-patterns'], now['vcs-repo']['tags-regex']];
    };
    expect(await triggers({ 'trigger-patterns': ['/b/*'] })).toEqual([[], ['/b/*'], null]);
    expect(await triggers({ 'vcs-repo': { 'tags-regex': 'v.*' } })).toEqual([[], [], 'v.*']);
    expect(await triggers({ 'trigger-prefixes': ['/c'] })).toEqual([['/c'], [], null]);
    expect(await triggers({ 'trigger-patterns': [], 'trigger-prefixes': ['/d'] })).toEqual([['/d'], [], null]);
    expect(await triggers({ 'trigger-prefixes': [] })).toEqual([[], [], null]);
    for (const clash of [
      { 'vcs-repo': { 'tags-regex': 'v' }, 'trigger-prefixes': ['/a'] },
      { 'vcs-repo': { 'tags-regex': 'v' }, 'trigger-patterns': ['/a'] },
      { 'vcs-repo': { 'tags-regex': 'v' }, 'file-triggers-enabled': true },
      { 'trigger-prefixes': ['/a'], 'trigger-patterns': ['/b'] },
    ]) {
      expect((await patch(id, clash)).status, JSON.stringify(clash)).toBe(422);
    }
  });

  test('§4.1: a tags-regex is a regular expression that RE2 can run', async () => {
    const { body } = await create({ 'vcs-repo': repo() });
    for (const [regex, status] of [
      ['(?i)^v(?P<major>\\d+)', 200],
      ['^v(?!0)', 422],
      ['^(v)\\1', 422],
      ['(?:x{900}){2}', 422],
      ['v(1', 422],
      ['*', 422],
    ] as const) {
      const answer = await patch(body.data.id, { 'vcs-repo': { 'tags-regex': regex } });
      expect(answer.status, regex).toBe(status);
      if (status === 422)
        expect(issuesOf(answer)[0]).toMatch(
          /^\/data\/attributes\/vcs-repo\/tags-regex: Tags regex (is not|cannot be run)/,
        );
      else expect(answer.body.data.attributes['vcs-repo']['tags-regex']).toBe(regex);
    }
    expect((await create({ 'vcs-repo': repo({ 'tags-regex': '(' }) })).status).toBe(422);
  });

  test('§4.1: patterns with braces or an exclamation mark in front are refused with what to write instead', async () => {
    const { body } = await create({ 'vcs-repo': repo() });
    const refused = async (pattern: string) => {
      const answer = await patch(body.data.id, { 'trigger-patterns': ['/a/*', pattern] });
      return [answer.status, issuesOf(answer)[0]];
    };
    const path = '/data/attributes/trigger-patterns: ';
    expect(await refused('/{a,b}/*')).toEqual([422, expect.stringContaining(`${path}Braces are not supported`)]);
    expect(await refused('!/a')).toEqual([422, expect.stringContaining(`${path}A pattern cannot start with "!"`)]);
    for (const fine of ['/\\{a\\}', '\\!a', '/**/[ab]?.tf', 'modules/**/*']) {
      expect((await patch(body.data.id, { 'trigger-patterns': [fine] })).status, fine).toBe(200);
    }
  });

  test('an expression and patterns that an earlier version took stay, also when a client sends them again', async () => {
    const { body } = await create({ 'vcs-repo': repo({ 'tags-regex': 'TAGS' }) });
    const patterned = await create({ 'vcs-repo': repo(), 'trigger-patterns': ['PATTERN'] });
    const store = (id: string, from: string, to: string) =>
      api.workspaces.database.run(replaceSettings, { id, from, to });
    await store(body.data.id, 'TAGS', '^v(?!0)');
    await store(patterned.body.data.id, 'PATTERN', '/{a,b}');
    const again = await patch(body.data.id, { 'vcs-repo': repo({ 'tags-regex': '^v(?!0)' }), description: 'new' });
    expect([again.status, again.body.data.attributes.description]).toEqual([200, 'new']);
    const kept = await patch(patterned.body.data.id, { 'trigger-patterns': ['/{a,b}', '/c'] });
    expect(kept.body.data.attributes['trigger-patterns']).toEqual(['/{a,b}', '/c']);
    expect((await patch(patterned.body.data.id, { 'trigger-patterns': ['/{a,b}', '/{c}'] })).status).toBe(422);
  });

  test('a repository and overwrites without content are ignored: official clients always send both', async () => {
    const nothing = { 'vcs-repo': {}, 'setting-overwrites': {} };
    const bare = await create(nothing);
    expect(bare.status, bare.text).toBe(201);
    expect(bare.body.data.attributes['vcs-repo']).toBeNull();
    const { body } = await create({ 'vcs-repo': repo({ branch: 'main' }), 'execution-mode': 'local' });
    const kept = await patch(body.data.id, { ...nothing, description: 'x' });
    expect(kept.status, kept.text).toBe(200);
    for (const name of ['vcs-repo', 'execution-mode', 'setting-overwrites']) {
      expect(kept.body.data.attributes[name], name).toEqual(body.data.attributes[name]);
    }
    // This also works when the VCS connection is deleted, because only a change of the repository requires it.
    const own = await connect(acme, { name: 'gone' });
    const orphan = await create({ 'vcs-repo': repo({ 'oauth-token-id': own }) });
    await acme.owner.call('DELETE', `/oauth-tokens/${own}`);
    expect((await patch(orphan.body.data.id, { ...nothing, description: 'x' })).status).toBe(200);
  });

  test('§4.2: patterns and prefixes replace each other also when the new list is empty', async () => {
    const { body } = await create({ 'trigger-patterns': ['/b/*'] });
    const { id } = body.data;
    const triggers = async (attributes: object) => {
      const { attributes: now } = (await patch(id, attributes)).body.data;
      return [now['trigger-prefixes'], now['trigger-patterns']];
    };
    expect(await triggers({ description: 'x' })).toEqual([[], ['/b/*']]);
    expect(await triggers({ 'trigger-prefixes': [], 'trigger-patterns': ['/c/*'] })).toEqual([[], ['/c/*']]);
    expect(await triggers({ 'trigger-prefixes': [] })).toEqual([[], []]);
    expect(await triggers({ 'trigger-prefixes': ['/d'], 'trigger-patterns': [] })).toEqual([['/d'], []]);
    expect(await triggers({ 'trigger-patterns': [] })).toEqual([[], []]);
    expect(await triggers({ 'trigger-prefixes': ['/e'] })).toEqual([['/e'], []]);
    expect(await triggers({ 'trigger-prefixes': [], 'trigger-patterns': [] })).toEqual([[], []]);
    // The tags stay, because clients that have no tags also send an empty list.
    const tagged = await create({ 'vcs-repo': repo({ 'tags-regex': 'v.*' }) });
    const kept = await patch(tagged.body.data.id, { 'trigger-prefixes': [] });
    expect(kept.body.data.attributes['vcs-repo']['tags-regex']).toBe('v.*');
  });

  test('patterns without file triggers are refused, whichever of the two is new', async () => {
    const refused = [
      "/data/attributes/trigger-patterns: 'trigger_patterns' cannot be populated when 'file_triggers_enabled' is set to false.",
    ];
    const off = { 'file-triggers-enabled': false };
    const patterns = { 'trigger-patterns': ['/a/*'] };
    expect(issuesOf(await create({ ...off, ...patterns }))).toEqual(refused);
    const filtered = (await create(patterns)).body.data.id;
    expect(issuesOf(await patch(filtered, off))).toEqual(refused);
    expect((await patch(filtered, { ...off, 'trigger-patterns': [] })).status).toBe(200);
    expect(issuesOf(await patch(filtered, patterns))).toEqual(refused);
    expect((await patch(filtered, { ...patterns, 'file-triggers-enabled': true })).status).toBe(200);
    expect((await create({ ...off, 'trigger-prefixes': ['/a'] })).status).toBe(201);
  });

  test('a VCS connection belongs to the organization, and to the projects in its scope', async () => {
    const foreign = await connect(await newOrganization(api));
    const project = await acme.project('Connected');
    const scoped = await connect(
      acme,
      { 'organization-scoped': false },
      { projects: { data: [{ type: 'projects', id: project }] } },
    );
    for (const id of [foreign, scoped, 'ot-none']) {
      const refused = await create({ 'vcs-repo': repo({ 'oauth-token-id': id }) });
      expect(issuesOf(refused)).toEqual(['/data/attributes/vcs-repo/oauth-token-id: OAuth token not found']);
    }
    const relationships = { project: { data: { type: 'projects', id: project } } };
    const made = await acme.owner.call(
      'POST',
      `/organizations/${acme.name}/workspaces`,
      workspaceBody({ name: 'connected', 'vcs-repo': repo({ 'oauth-token-id': scoped }) }, relationships),
    );
    expect(made.status, made.text).toBe(201);
  });

  test('a workspace whose connection is deleted keeps its repository without one', async () => {
    const own = await connect(acme, { name: 'for now' });
    const { body } = await create({ 'vcs-repo': repo({ 'oauth-token-id': own }) });
    expect((await acme.owner.call('DELETE', `/oauth-tokens/${own}`)).status).toBe(204);
    const shown = await acme.owner.call('GET', `/workspaces/${body.data.id}`);
    expect(shown.body.data.attributes).toMatchObject({
      'oauth-client-name': null,
      'vcs-repo': { identifier: 'acme/infra', 'oauth-token-id': null, 'service-provider': null },
    });
    expect((await patch(body.data.id, { description: 'still editable' })).status).toBe(200);
  });
});
