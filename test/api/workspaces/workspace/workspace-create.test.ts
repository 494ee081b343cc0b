import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

const PERMISSION_KEYS = [
  'can-update',
  'can-destroy',
  'can-queue-run',
  'can-read-run',
  'can-read-variable',
  'can-update-variable',
  'can-read-state-versions',
  'can-read-state-outputs',
  'can-create-state-versions',
  'can-queue-apply',
  'can-lock',
  'can-unlock',
  'can-force-unlock',
  'can-read-settings',
  'can-manage-tags',
  'can-manage-run-tasks',
  'can-force-delete',
  'can-manage-assessments',
  'can-manage-ephemeral-workspaces',
  'can-read-assessment-results',
  'can-queue-destroy',
];

describe.each(databaseKinds)('creating workspaces on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  function create(attributes: object, relationships?: object) {
    const body = workspaceBody({ name: `w-${++names}`, ...attributes }, relationships);
    return acme.owner.call('POST', `/organizations/${acme.name}/workspaces`, body);
  }

  test('a new workspace has every attribute and relationship, with its defaults', async () => {
    const { status, body } = await create({ name: 'defaults' });
    expect(status).toBe(201);
    const time = new Date(api.now()).toISOString();
    const { id, permissions, ...rest } = { id: body.data.id, ...body.data.attributes };
    expect(id).toMatch(/^ws-[1-9A-Za-z]{16}$/);
    expect(Object.keys(permissions).toSorted()).toEqual(PERMISSION_KEYS.toSorted());
    expect(Object.values(permissions)).not.toContain(false);
    expect(rest).toEqual({
      name: 'defaults',
      actions: { 'is-destroyable': true },
      'allow-destroy-plan': true,
      'apply-duration-average': null,
      'assessments-enabled': false,
      'auto-apply': false,
      'auto-apply-run-trigger': false,
      'auto-destroy-activity-duration': null,
      'auto-destroy-at': null,
      'auto-destroy-status': null,
      'can-queue-destroy-plan': true,
      'created-at': time,
      description: null,
      'effective-run-data-retention-desc': null,
      'effective-state-version-retention-desc': null,
      'engine-version': 'latest',
      environment: 'default',
      'execution-mode': 'remote',
      'file-triggers-enabled': true,
      'global-remote-state': false,
      'inherits-project-auto-destroy': true,
      'last-assessment-result-at': null,
      'latest-change-at': time,
      locked: false,
      'locked-reason': null,
      'migration-environment': '',
      'oauth-client-name': null,
      operations: true,
      'plan-duration-average': null,
      'policy-check-failures': null,
      'project-remote-state': false,
      'queue-all-runs': false,
      'resource-count': 0,
      'run-failures': null,
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
      source: 'tfe-api',
      'source-name': null,
      'source-url': null,
      'speculative-enabled': true,
      'structured-run-output-enabled': true,
      'tag-names': [],
      'terraform-version': 'latest',
      'trigger-patterns': [],
      'trigger-prefixes': [],
      'updated-at': time,
      'vcs-repo': null,
      'vcs-repo-identifier': null,
      'workspace-kpis-runs-count': null,
      'working-directory': null,
    });
    const own = `/api/v2/workspaces/${id}`;
    expect(body.data.relationships).toEqual({
      'agent-pool': { data: null },
      'current-assessment-result': { data: null },
      'current-configuration-version': { data: null },
      'current-run': { data: null },
      'current-state-version': { data: null, links: { related: `${own}/current-state-version` } },
      'effective-tag-bindings': { links: { related: `${own}/effective-tag-bindings` } },
      'latest-run': { data: null },
      'locked-by': { data: null },
      organization: { data: { type: 'organizations', id: acme.name } },
      outputs: { data: [], links: { related: `${own}/current-state-version-outputs` } },
      project: { data: { type: 'projects', id: acme.defaultProjectId } },
      readme: { data: null },
      'remote-state-consumers': { links: { related: `${own}/relationships/remote-state-consumers` } },
      'ssh-key': { data: null },
      'tag-bindings': { links: { related: `${own}/tag-bindings` } },
      vars: { data: [] },
    });
    expect(body.data.links).toEqual({
      self: `/api/v2/organizations/${acme.name}/workspaces/defaults`,
      'self-html': `/app/${acme.name}/workspaces/defaults`,
    });
  });

  test('what is given is kept, and what is unknown is ignored', async () => {
    const given = {
      'allow-destroy-plan': false,
      'assessments-enabled': true,
      'auto-apply': true,
      'auto-apply-run-trigger': true,
      description: 'Ünïcode 🚢 and "quotes"',
      'file-triggers-enabled': false,
      'global-remote-state': true,
      'queue-all-runs': true,
      'source-name': 'pipeline',
      'source-url': 'https://example.com/pipeline?x=1',
      'speculative-enabled': false,
      'structured-run-output-enabled': false,
      'trigger-prefixes': ['/modules', '/shared'],
      'working-directory': 'env/prod',
    };
    const readOnly = { locked: true, 'resource-count': 7, source: 'elsewhere', permissions: {}, 'created-at': 'never' };
    const { status, body } = await create({ ...given, ...readOnly, 'no-such-attribute': { deep: [1] }, __proto: 1 });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      ...given,
      locked: false,
      'resource-count': 0,
      source: 'tfe-api',
      actions: { 'is-destroyable': false },
    });
    expect(body.data.attributes.permissions['can-queue-destroy']).toBe(false);
    expect(body.data.attributes).not.toHaveProperty('no-such-attribute');
  });

  test('a null is the default', async () => {
    const nulls = {
      'auto-apply': null,
      'allow-destroy-plan': null,
      description: null,
      'trigger-patterns': null,
      'vcs-repo': null,
      'engine-version': null,
      'execution-mode': null,
      operations: null,
      'setting-overwrites': null,
      'auto-destroy-at': null,
    };
    const [plain, withNulls] = [await create({}), await create(nulls)];
    expect(withNulls.status).toBe(201);
    const { name, ...attributes } = withNulls.body.data.attributes;
    const { name: _, ...expected } = plain.body.data.attributes;
    expect(attributes).toEqual(expected);
    expect(name).not.toBe(_);
  });

  test.each<readonly [attributes: object, pointer: string]>([
    [{ name: '' }, '/data/attributes/name'],
    [{ name: 'two words' }, '/data/attributes/name'],
    [{ name: 'dot.ted' }, '/data/attributes/name'],
    [{ name: 'zürich' }, '/data/attributes/name'],
    [{ name: 'nul\u0000' }, '/data/attributes/name'],
    [{ name: 'x'.repeat(91) }, '/data/attributes/name'],
    [{ name: 'line\n' }, '/data/attributes/name'],
    [{ name: null }, '/data/attributes/name'],
    [{ name: ['a'] }, '/data/attributes/name'],
    [{ description: 'a\u0000b' }, '/data/attributes/description'],
    [{ description: 'x'.repeat(4097) }, '/data/attributes/description'],
    [{ 'auto-apply': 'true' }, '/data/attributes/auto-apply'],
    [{ 'auto-apply': 1 }, '/data/attributes/auto-apply'],
    [{ 'execution-mode': 'Remote' }, '/data/attributes/execution-mode'],
    [{ 'trigger-prefixes': 'a' }, '/data/attributes/trigger-prefixes'],
    [{ 'trigger-prefixes': [null] }, '/data/attributes/trigger-prefixes/0'],
    [{ 'trigger-prefixes': Array(201).fill('a') }, '/data/attributes/trigger-prefixes'],
    [{ 'source-url': 'javascript:alert(1)' }, '/data/attributes/source-url'],
    [{ 'source-url': 'nowhere' }, '/data/attributes/source-url'],
    [{ 'auto-destroy-at': 'tomorrow' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': '2026-02-30T00:00:00Z' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': '9999-12-31T23:59:59-23:59' }, '/data/attributes/auto-destroy-at'],
    [{ 'auto-destroy-at': 1764000000 }, '/data/attributes/auto-destroy-at'],
    ...['0d', '0000h', '12345d', '5m', 'd', '-1d', '1.5h', ' 1d', '1d\n'].map(
      (duration) =>
        [{ 'auto-destroy-activity-duration': duration }, '/data/attributes/auto-destroy-activity-duration'] as const,
    ),
    [{ 'engine-version': 'nonexisting' }, '/data/attributes/engine-version'],
    [{ 'terraform-version': '1.2.x' }, '/data/attributes/engine-version'],
    [{ 'engine-version': '1.2.3', 'terraform-version': '1.2.4' }, '/data/attributes/terraform-version'],
    [{ 'execution-mode': 'remote', operations: true }, '/data/attributes/operations'],
    [{ 'execution-mode': 'agent' }, '/data/attributes/agent-pool-id'],
    [{ 'execution-mode': 'agent', 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'execution-mode': 'remote', 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ operations: true, 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'agent-pool-id': 'apool-1' }, '/data/attributes/agent-pool-id'],
    [{ 'setting-overwrites': { 'execution-mode': true } }, '/data/attributes/execution-mode'],
    [{ 'trigger-prefixes': ['a'], 'trigger-patterns': ['b'] }, '/data/attributes/trigger-patterns'],
    [{ 'project-remote-state': true, 'global-remote-state': true }, '/data/attributes/project-remote-state'],
    [{ 'vcs-repo': { identifier: 'acme/infra' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { 'oauth-token-id': 'ot-1' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { branch: 'main' } }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': 'acme/infra' }, '/data/attributes/vcs-repo'],
    [{ 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1' } }, '/data/attributes/vcs-repo/oauth-token-id'],
    [
      { 'vcs-repo': { identifier: 'a/b', 'github-app-installation-id': 'ghain-1' } },
      '/data/attributes/vcs-repo/github-app-installation-id',
    ],
    [
      { 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'github-app-installation-id': 'ghain-1' } },
      '/data/attributes/vcs-repo',
    ],
    [
      { 'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'tags-regex': 'v.*' }, 'trigger-patterns': ['x'] },
      '/data/attributes/vcs-repo/tags-regex',
    ],
    [
      {
        'vcs-repo': { identifier: 'a/b', 'oauth-token-id': 'ot-1', 'tags-regex': 'v.*' },
        'file-triggers-enabled': true,
      },
      '/data/attributes/vcs-repo/tags-regex',
    ],
  ])('%j is refused', async (attributes, pointer) => {
    const answer = await create(attributes);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0]).toMatchObject({ status: '422', title: 'invalid attribute', source: { pointer } });
  });

  test('everything that is wrong is said at once', async () => {
    const answer = await create({ 'engine-version': 'x', 'source-url': 'y', 'execution-mode': 'agent' });
    expect(answer.body.errors.map(({ source }: never) => source)).toEqual([
      { pointer: '/data/attributes/agent-pool-id' },
      { pointer: '/data/attributes/engine-version' },
      { pointer: '/data/attributes/source-url' },
    ]);
  });

  test.each([
    '1.5.7',
    '0.11.0',
    '1.12.4',
    '1.6.0-beta1',
    '~> 1.0.0',
    '~> 1',
    '>= 1.2, < 2.0, != 1.5.1',
    '1.5',
    'latest',
  ])('the engine version %j is accepted under either name', async (version) => {
    for (const name of ['engine-version', 'terraform-version']) {
      const { body } = await create({ [name]: version });
      expect(body.data.attributes).toMatchObject({ 'engine-version': version, 'terraform-version': version });
    }
  });

  test.each([
    [{}, 'remote', false],
    [{ 'execution-mode': 'local' }, 'local', true],
    [{ 'execution-mode': 'remote' }, 'remote', true],
    [{ operations: false }, 'local', true],
    [{ operations: true }, 'remote', true],
    [{ 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': false } }, 'remote', false],
    [
      { 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': true, 'agent-pool': true } },
      'local',
      true,
    ],
    [{ 'execution-mode': 'local', 'agent-pool-id': '' }, 'local', true],
    [{ 'agent-pool-id': null }, 'remote', false],
  ])('%j runs %s, and says so itself: %j', async (attributes, mode, own) => {
    const { body } = await create(attributes);
    expect(body.data.attributes).toMatchObject({
      'execution-mode': mode,
      operations: mode !== 'local',
      'setting-overwrites': { 'execution-mode': own, 'agent-pool': own },
    });
  });

  test('without a mode of its own a workspace has that of its organization', async () => {
    const local = await newOrganization(api, { 'default-execution-mode': 'local' });
    const id = await local.workspace('inherits');
    const { body } = await local.owner.call('GET', `/workspaces/${id}`);
    expect(body.data.attributes).toMatchObject({
      'execution-mode': 'local',
      operations: false,
      'setting-overwrites': { 'execution-mode': false },
    });
  });

  test('a destruction is planned by time or by inactivity, in the past too', async () => {
    const past = await create({ 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    expect(past.body.data.attributes).toMatchObject({
      'auto-destroy-at': '2025-01-01T00:00:00.000Z',
      'inherits-project-auto-destroy': false,
    });
    const idle = await create({ 'auto-destroy-activity-duration': '14d', 'auto-destroy-at': null });
    expect(idle.body.data.attributes).toMatchObject({
      'auto-destroy-activity-duration': '14d',
      'auto-destroy-at': new Date(api.now() + 14 * 24 * 3_600_000).toISOString(),
    });
  });

  test('a name is taken once in an organization', async () => {
    await create({ name: 'once' });
    const again = await create({ name: 'once' });
    expect(again.status).toBe(422);
    expect(again.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Name has already been taken',
        source: { pointer: '/data/attributes/name' },
      },
    ]);
    const elsewhere = await newOrganization(api);
    await elsewhere.workspace('once');
  });

  test('a workspace is made in the project that is named, and in no other organization', async () => {
    const project = await acme.project('Elsewhere');
    const inProject = await create({}, { project: { data: { type: 'projects', id: project } } });
    expect(inProject.body.data.relationships.project.data.id).toBe(project);
    const foreign = await newOrganization(api);
    for (const id of [foreign.defaultProjectId, 'prj-none', 'x\u0000']) {
      const answer = await create({}, { project: { data: { type: 'projects', id } } });
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)[0]).toContain('/data/relationships/project');
    }
    const blank = await create({}, { project: { data: { type: 'projects', id: '' } } });
    expect(blank.body.data.relationships.project.data.id).toBe(acme.defaultProjectId);
  });

  test('flat tags and key-value tags come with it', async () => {
    const { body } = await create(
      {},
      {
        tags: {
          data: ['tag2', 'Tag1', 'tag2'].map((name) => ({ type: 'tags', attributes: { name, 'instance-count': 0 } })),
        },
        'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] },
      },
    );
    expect(body.data.attributes['tag-names']).toEqual(['tag1', 'tag2']);
    const bindings = await acme.owner.call('GET', `/workspaces/${body.data.id}/tag-bindings`);
    expect(bindings.body.data).toMatchObject([{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }]);
  });

  test('nothing is kept of a workspace whose tags are refused', async () => {
    const bindings = Array.from({ length: 11 }, (_, i) => ({ type: 'tag-bindings', attributes: { key: `k${i}` } }));
    const refused = await create(
      { name: 'half-made' },
      { tags: { data: [{ type: 'tags', attributes: { name: 'orphan' } }] }, 'tag-bindings': { data: bindings } },
    );
    expect(refused.status).toBe(422);
    expect(refused.body.errors[0].detail).toContain('cannot exceed 10 bindings per resource');
    const path = `/organizations/${acme.name}/workspaces`;
    expect((await acme.owner.call('GET', `${path}/half-made`)).status).toBe(404);
    expect((await acme.owner.call('GET', `${path}?search[tags]=orphan`)).body.data).toEqual([]);
  });

  test('of many that want one name at once, one gets it', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'wanted' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(422)]);
  });
});
