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
      'auto-destroy-explanation': null,
      'auto-destroy-next-attempt-at': null,
      'auto-destroy-run-id': null,
      'auto-destroy-source': null,
      'auto-destroy-status': null,
      'can-queue-destroy-plan': true,
      'created-at': time,
      description: null,
      'effective-run-data-retention-desc': null,
      'effective-state-version-retention-desc': null,
      engine: null,
      'engine-version': 'latest',
      environment: 'default',
      'execution-mode': 'remote',
      'file-triggers-enabled': true,
      'global-remote-state': false,
      'inherits-project-auto-destroy': true,
      'last-assessment-result-at': null,
      'latest-change-at': time,
      locked: false,
      'locked-at': null,
      'locked-by-name': null,
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

  test('given attributes are stored, and unknown ones are ignored', async () => {
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

  test('null sets the default', async () => {
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

  test('a name is unique in an organization', async () => {
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

  test('a workspace is created in the given project, and in no other organization', async () => {
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

  test('flat tags and key-value tags are created with it', async () => {
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

  test('a workspace with refused tags is not created', async () => {
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

  test('of many concurrent requests for one name, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'wanted' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(422)]);
  });
});
