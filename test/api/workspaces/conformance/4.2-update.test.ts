import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { issuesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { ROWS } from './support/attributes.ts';

const PROJECT = '/data/relationships/project';
const BINDINGS = '/data/relationships/tag-bindings/data';

/** Each attribute with a value other than the default, as far as they are compatible. */
const BEFORE: Readonly<Record<string, unknown>> = {
  'allow-destroy-plan': false,
  'assessments-enabled': true,
  'auto-apply': true,
  'auto-apply-run-trigger': true,
  'auto-destroy-at': '2030-01-01T00:00:00.000Z',
  description: 'before',
  'engine-version': '1.5.7',
  'execution-mode': 'local',
  'file-triggers-enabled': false,
  'global-remote-state': true,
  'queue-all-runs': true,
  'source-name': 'pipeline',
  'source-url': 'https://example.com/1',
  'speculative-enabled': false,
  'structured-run-output-enabled': false,
  'trigger-prefixes': ['/before'],
  'working-directory': 'before',
};

/** Attributes of a workspace without an auto-destroy setting. */
const NOT_PLANNED = {
  'auto-destroy-explanation': null,
  'auto-destroy-source': null,
  'auto-destroy-status': null,
  'inherits-project-auto-destroy': true,
};

/** A change of one attribute, and the other attributes that change with it. */
const CHANGES: readonly [name: string, value: unknown, follows?: object][] = [
  ['allow-destroy-plan', true, { actions: { 'is-destroyable': true }, 'can-queue-destroy-plan': true }],
  ['assessments-enabled', false],
  ['auto-apply', false],
  ['auto-apply-run-trigger', false],
  [
    'auto-destroy-at',
    '2031-01-01T00:00:00.000Z',
    { 'auto-destroy-explanation': expect.stringContaining('2031-01-01') },
  ],
  ['auto-destroy-at', null, NOT_PLANNED],
  ['description', 'after'],
  ['description', ''],
  ['engine-version', '~> 1.6', { 'terraform-version': '~> 1.6' }],
  ['terraform-version', '1.6.0', { 'engine-version': '1.6.0' }],
  ['execution-mode', 'remote', { operations: true }],
  ['operations', true, { 'execution-mode': 'remote' }],
  ['file-triggers-enabled', true],
  ['global-remote-state', false],
  ['queue-all-runs', false],
  ['source-name', 'other'],
  ['source-url', 'https://example.com/2'],
  ['speculative-enabled', true],
  ['structured-run-output-enabled', true],
  ['trigger-prefixes', ['a', 'b']],
  ['trigger-prefixes', []],
  ['trigger-patterns', [], { 'trigger-prefixes': [] }],
  ['working-directory', null],
];

describe.each(databaseKinds)('spec §4.2 update workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await acme.workspace('subject', BEFORE);
  });
  afterAll(() => api.close());

  const patch = (path: string, attributes: object, relationships?: object) =>
    acme.owner.call('PATCH', path, workspaceBody(attributes, relationships));
  const byId = () => `/workspaces/${id}`;
  const byNames = () => `/organizations/${acme.name}/workspaces/subject`;
  const show = async () => (await acme.owner.call('GET', byId())).body.data;

  test.each(CHANGES)(
    '%s changes to %j, by id and by names, and all that is not named stays',
    async (name, value, follows) => {
      for (const path of [byId(), byNames()]) {
        await patch(byId(), BEFORE);
        const before = await show();
        api.advance(1000);
        const { status, body, text } = await patch(path, { [name]: value });
        expect(status, text).toBe(200);
        const { permissions } = body.data.attributes;
        expect(body.data).toEqual({
          ...before,
          attributes: {
            ...before.attributes,
            ...follows,
            [name]: value,
            permissions: { ...permissions, 'can-queue-destroy': name === 'allow-destroy-plan' },
            'updated-at': new Date(api.now()).toISOString(),
          },
        });
        expect(await show()).toEqual(body.data);
      }
    },
  );

  test.each(ROWS)('$name: null brings $standard back', async ({ name, standard }) => {
    await patch(byId(), BEFORE);
    const { body } = await patch(byNames(), { [name]: null });
    expect(body.data.attributes[name]).toEqual(standard);
  });

  test('values that a new workspace refuses are refused here, with an equal pointer', async () => {
    await patch(byId(), BEFORE);
    const before = await show();
    for (const { name, refused } of ROWS) {
      for (const value of refused.slice(0, 3)) {
        const { status, body } = await patch(byId(), { [name]: value });
        expect(status, `${name} ${JSON.stringify(value)}`).toBe(422);
        expect(body.errors[0].source.pointer).toContain(`/data/attributes/${name}`);
      }
    }
    expect(await show()).toEqual(before);
  });

  test.each<[body: unknown, pointer: string]>([
    [{}, '/data'],
    [{ data: {} }, '/data/type'],
    [{ data: { type: 'projects', attributes: {} } }, '/data/type'],
    [{ data: { type: 'workspaces', attributes: [] } }, '/data/attributes'],
    [{ data: { type: 'workspaces', attributes: { name: null } } }, '/data/attributes/name'],
    [{ data: { type: 'workspaces', attributes: { name: '' } } }, '/data/attributes/name'],
    [{ data: { type: 'workspaces', relationships: { project: { data: { id: 'prj-none' } } } } }, PROJECT],
    [{ data: { type: 'workspaces', relationships: { 'tag-bindings': { data: {} } } } }, BINDINGS],
    [
      { data: { type: 'workspaces', relationships: { 'tag-bindings': { data: [{ type: 'tags' }] } } } },
      `${BINDINGS}/0/attributes`,
    ],
  ])('the body %j is refused', async (body, pointer) => {
    const answer = await acme.owner.call('PATCH', byNames(), body);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.errors.map(({ source }: { source: object }) => source)).toContainEqual({ pointer });
  });

  test('a workspace that does not exist, or that the caller may not see, returns 404', async () => {
    const stranger = await api.user(`updater-${kind}`);
    const body = workspaceBody({ description: 'x' });
    for (const path of [byId(), byNames()]) expect((await stranger.call('PATCH', path, body)).status).toBe(404);
    for (const path of ['/workspaces/ws-none', `/organizations/${acme.name}/workspaces/none`]) {
      expect((await acme.owner.call('PATCH', path, body)).status).toBe(404);
    }
  });

  test('a new name changes only the URLs', async () => {
    const renamed = await acme.workspace(`old-${++names}`);
    const before = (await acme.owner.call('GET', `/workspaces/${renamed}`)).body.data;
    const { body } = await patch(`/organizations/${acme.name}/workspaces/old-${names}`, { name: `new-${names}` });
    expect(body.data).toEqual({
      ...before,
      attributes: { ...before.attributes, name: `new-${names}` },
      links: {
        self: `/api/v2/organizations/${acme.name}/workspaces/new-${names}`,
        'self-html': `/app/${acme.name}/workspaces/new-${names}`,
      },
    });
    expect((await acme.owner.call('GET', body.data.links.self.slice('/api/v2'.length))).body.data).toEqual(body.data);
    const search = (name: string) =>
      acme.owner.call('GET', `/organizations/${acme.name}/workspaces?search[wildcard-name]=${name}`);
    expect((await search(`new-${names}`)).body.data).toEqual([body.data]);
    expect((await search(`old-${names}`)).body.data).toEqual([]);
  });

  test('a move and a new name that is taken: neither happens', async () => {
    const other = await acme.project(`Other ${++names}`);
    const before = await show();
    await acme.workspace(`taken-${names}`);
    const refused = await patch(byId(), { name: `taken-${names}` }, { project: { data: { id: other } } });
    expect(issuesOf(refused)).toEqual(['/data/attributes/name: Name has already been taken']);
    expect(await show()).toEqual(before);
  });

  test('an agent pool belongs to its execution mode, and may change within it', async () => {
    const pools: string[] = [];
    for (const name of ['one', 'two']) {
      const body = { data: { type: 'agent-pools', attributes: { name } } };
      pools.push((await acme.owner.call('POST', `/organizations/${acme.name}/agent-pools`, body)).body.data.id);
    }
    const [one, two] = pools;
    const steps: [attributes: object, pool: string | null | undefined][] = [
      [{ 'agent-pool-id': one }, undefined],
      [{ 'execution-mode': 'agent' }, undefined],
      [{ 'execution-mode': 'agent', 'agent-pool-id': one }, one],
      [{ 'execution-mode': 'agent' }, one],
      [{ 'agent-pool-id': two }, two],
      [{ 'agent-pool-id': null }, undefined],
      [{ 'agent-pool-id': '' }, undefined],
      [{ 'agent-pool-id': 'apool-none' }, undefined],
      [{ operations: true, 'agent-pool-id': two }, undefined],
      [{ operations: false, 'execution-mode': 'agent' }, undefined],
      [{ description: 'x' }, two],
      [{ operations: false }, null],
      [{ operations: true }, null],
    ];
    await patch(byId(), BEFORE);
    for (const [attributes, wanted] of steps) {
      const { status, body, text } = await patch(byNames(), attributes);
      expect(status, `${JSON.stringify(attributes)} ${text}`).toBe(wanted === undefined ? 422 : 200);
      if (wanted !== undefined) expect(body.data.relationships['agent-pool'].data?.id ?? null).toBe(wanted);
    }
  });
});
