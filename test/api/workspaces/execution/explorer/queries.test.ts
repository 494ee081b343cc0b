import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../../../src/storage/index.ts';
import { databaseKinds } from '../../../../support/databases.ts';
import { agentsOf, byAgents, type TestAgent } from '../../support/agents.ts';
import { type Caller, startApi, type TestApi } from '../../support/api.ts';
import { newOrganization, type TestOrganization } from '../../support/organization.ts';
import { runsOf, type TestRuns } from '../../support/runs.ts';
import { lockedWorkspace, resource, stateText } from '../../support/states.ts';
import { NOTHING, newMember, onProject, onWorkspace } from '../../support/team-access.ts';

const DAY = 86_400_000;
const AWS = 'registry.opentofu.org/hashicorp/aws';
const RANDOM = 'registry.opentofu.org/hashicorp/random';
const VPC = 'registry.opentofu.org/terraform-aws-modules/vpc/aws';

const NETWORK = [
  resource('aws_subnet', 'private', [{ id: 's-1' }, { id: 's-2' }, { id: 's-3' }], { module: 'module.vpc["eu"]' }),
  resource('aws_vpc', 'main', [{ id: 'v-1' }], { module: 'module.vpc["eu"]' }),
  resource('random_pet', 'name', [{ id: 'cat' }], { provider: `provider["${RANDOM}"]` }),
  resource('aws_ami', 'image', [{ id: 'a' }], { mode: 'data', provider: `provider["${AWS}"].west` }),
];
const APPS = [resource('aws_instance', 'web', [{ id: 'i-1' }, { id: 'i-2' }]), resource('terraform_data', 'x', [{}])];

describe.each(databaseKinds)('the explorer on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let agent: TestAgent;
  let pool: string;
  const ids = new Map<string, string>();

  const path = () => `/organizations/${acme.name}/explorer`;
  const ask = (query: string, by: Caller = acme.owner) => by.call('GET', `${path()}?${query}`);
  const filter = (field: string, operator: string, value = '', at = 0) =>
    `filter[${at}][${field}][${operator}][0]=${encodeURIComponent(value)}`;
  /** Returns the attributes of all rows. */
  const rows = async (query: string, by?: Caller): Promise<Record<string, unknown>[]> => {
    const answer = await ask(query, by);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes);
  };
  const names = async (query: string, by?: Caller) =>
    (await rows(`type=workspaces&fields=workspace_name&${query}`, by)).map((row) => row['workspace-name']);

  async function withState(name: string, resources: readonly object[]): Promise<string> {
    const workspace = await lockedWorkspace(api, acme, name);
    await workspace.write(stateText(1, { resources }), { serial: 1 });
    await workspace.unlock();
    ids.set(name, workspace.id);
    return workspace.id;
  }

  /** Plans and applies a run whose agent reports these packages. */
  async function applied(workspace: string, packages: object): Promise<string> {
    const run = await runs.run(workspace, { 'auto-apply': true });
    for (const phase of ['plan', 'apply']) {
      const job = await agent.take();
      await job.start();
      if (phase === 'plan') await job.call('PUT', `/plans/${job.id}/folder`, { of: 'the plan' });
      const done = await job.finish('finished', phase === 'plan' ? { 'has-changes': true, ...packages } : {});
      expect(done.status, done.text).toBe(204);
    }
    expect(await runs.statusOf(run)).toBe('applied');
    return run;
  }

  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
    pool = await agentsOf(api, acme).pool('first');
    agent = await agentsOf(api, acme).agent(pool);
    await withState('apps', APPS);
    await withState('network', NETWORK);
    ids.set('empty', await acme.workspace('empty', { 'terraform-version': '1.9.0' }));
    api.advance(40 * DAY);
    ids.set('planned', await runs.workspace('planned', byAgents(pool)));
    await applied(ids.get('planned') ?? '', {
      providers: [{ source: AWS, version: '5.90.1' }],
      modules: [
        { key: 'vpc', source: VPC, version: '5.1.0' },
        { key: 'local', source: './modules/local', version: null },
      ],
    });
  });
  afterAll(() => api.close());

  it('shows all fields of a workspace, with the names of HCP Terraform', async () => {
    const answer = await ask(`type=workspaces&${filter('workspace_name', 'is', 'network')}`);
    expect(answer.body.data).toHaveLength(1);
    expect(answer.body.meta.pagination['total-count']).toBe(1);
    const [row] = answer.body.data;
    expect(row).toMatchObject({ id: ids.get('network'), type: 'visibility-workspace' });
    expect(row.attributes).toMatchObject({
      'all-checks-succeeded': true,
      'current-rum-count': 5,
      'current-run-status': null,
      drifted: false,
      'external-id': ids.get('network'),
      'module-count': 1,
      modules: 'vpc',
      'organization-name': acme.name,
      'project-external-id': acme.defaultProjectId,
      'project-name': 'Default Project',
      'provider-count': 2,
      providers: 'registry.opentofu.org/providers/hashicorp/aws, registry.opentofu.org/providers/hashicorp/random',
      'resource-count': 5,
      'resources-drifted': 0,
      'state-version-terraform-version': '1.10.5',
      tags: null,
      'workspace-name': 'network',
      engine: 'opentofu',
      'execution-mode': 'remote',
      'days-since-apply': 40,
    });
    expect(Object.keys(row.attributes)).toHaveLength(34);
  });

  it('has versions of providers and modules from the last applied run, and none that it does not know', async () => {
    const providers = await rows('type=providers&sort=source,-version');
    expect(providers).toMatchObject([
      { name: 'aws', source: AWS, version: '5.90.1', 'registry-type': 'public', 'workspace-count': 1 },
      { name: 'aws', source: AWS, version: null, 'workspace-count': 2, workspaces: 'apps, network' },
      { name: 'random', source: RANDOM, version: null, 'workspace-count': 1, workspaces: 'network' },
    ]);
    expect(await rows('type=modules&sort=name,source')).toMatchObject([
      { name: 'local', source: './modules/local', version: null, 'registry-type': null, workspaces: 'planned' },
      { name: 'vpc', source: VPC, version: '5.1.0', 'registry-type': 'public', workspaces: 'planned' },
      { name: 'vpc', source: null, version: null, 'workspace-count': 1, workspaces: 'network' },
    ]);
    expect(await names(filter('providers', 'contains', 'hashicorp/AWS/5.'))).toEqual(['planned']);
  });

  it('forgets the versions of a run when a later state comes from elsewhere', async () => {
    const id = await runs.workspace('drifting', byAgents(pool));
    await applied(id, { providers: [{ source: AWS, version: '6.0.0' }], modules: [] });
    const versions = () => rows(`type=providers&fields=version&${filter('workspaces', 'is', 'drifting')}`);
    expect(await versions()).toEqual([{ version: '6.0.0' }]);
    api.advance(1000);
    await acme.owner.call('POST', `/workspaces/${id}/actions/lock`);
    const write = await acme.owner.call('POST', `/workspaces/${id}/state-versions`, {
      data: {
        type: 'state-versions',
        attributes: await inline(stateText(1, { resources: APPS })),
      },
    });
    expect(write.status, write.text).toBe(201);
    expect(await versions()).toEqual([{ version: null }]);
    await acme.owner.call('POST', `/workspaces/${id}/actions/unlock`);
    expect((await acme.owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
    expect(await names(filter('workspace_name', 'is', 'drifting'))).toEqual([]);
    expect(await versions()).toEqual([]);
  });

  it('counts managed resources by type over all workspaces', async () => {
    expect(await rows('type=resource_types&sort=-instance_count,resource_type')).toMatchObject([
      { 'resource-type': 'aws_subnet', provider: AWS, 'instance-count': 3, 'workspace-count': 1 },
      { 'resource-type': 'aws_instance', 'instance-count': 2, workspaces: 'apps' },
      { 'resource-type': 'aws_vpc', 'instance-count': 1 },
      { 'resource-type': 'random_pet', provider: RANDOM, 'instance-count': 1 },
      { 'resource-type': 'terraform_data', 'instance-count': 1 },
    ]);
  });

  it('counts workspaces by engine version', async () => {
    const versions = await rows(`type=tf_versions&${filter('version', 'is', '1.9.0')}`);
    expect(versions).toEqual([
      {
        'unique-identifier': 'opentofu/1.9.0',
        version: '1.9.0',
        engine: 'opentofu',
        'workspace-count': 1,
        workspaces: 'empty',
      },
    ]);
  });

  it.each([
    ['not applied for 30 days', () => filter('days_since_apply', 'gteq', '30'), ['apps', 'network']],
    ['never applied', () => filter('last_applied_at', 'is_empty'), ['empty']],
    ['applied', () => filter('current_run_status', 'is', 'applied'), ['planned']],
    ['with another status', () => filter('current_run_status', 'is_not', 'applied'), ['apps', 'empty', 'network']],
    ['by a part of the name', () => filter('workspace_name', 'contains', 'P'), ['apps', 'empty', 'planned']],
    ['by the rest', () => filter('workspace_name', 'does not contain', 'P'), ['network']],
    [
      'by two conditions',
      () => `${filter('resource_count', 'gt', '1')}&${filter('resource_count', 'lt', '5', 1)}`,
      ['apps'],
    ],
    ['by time', () => filter('workspace_created_at', 'is_after', '2026-12-01'), ['planned']],
    ['by an entry of a list', () => filter('modules', 'is', 'vpc'), ['network']],
    ['by a flag', () => filter('drifted', 'is', 'true'), []],
    ['in reverse order', () => 'sort=-workspace_name', ['planned', 'network', 'empty', 'apps']],
    ['by number', () => 'sort=-resource_count,workspace_name', ['network', 'apps', 'empty', 'planned']],
    ['unknown values last', () => 'sort=-last_applied_at', ['planned', 'network', 'apps', 'empty']],
  ])('finds workspaces %s', async (_title, query, expected) => {
    const found = await names(query());
    // Workspaces that were applied at the same time have any order.
    expect(query().includes('last_applied') ? found.toSorted() : found).toEqual(
      query().includes('last_applied') ? expected.toSorted() : expected,
    );
  });

  it('pages, and takes the fields parameter of go-tfe', async () => {
    const answer = await ask('type=workspaces&fields[workspaces]=workspace_name,drifted&page[size]=3&page[number]=2');
    expect(answer.body.data.map((row: { attributes: object }) => row.attributes)).toEqual([
      { drifted: false, 'workspace-name': 'planned' },
    ]);
    expect(answer.body.meta.pagination).toMatchObject({ 'total-pages': 2, 'total-count': 4 });
  });

  it.each([
    ['type=resources', 'type must be one of'],
    ['sort=drifted', 'type is required'],
    ['type=workspaces&sort=color', 'workspaces have no field "color"'],
    ['type=providers&fields=name,color', 'providers have no field "color". They have name, source'],
    ['type=workspaces&fields[modules]=name', 'fields[workspaces]'],
    [`type=workspaces&${filter('color', 'is', 'red')}`, 'no field "color"'],
    [`type=workspaces&${filter('drifted', 'gt', '1')}`, 'drifted has no operator "gt". It takes is, is_not'],
    [`type=workspaces&${filter('drifted', 'is', 'yes')}`, 'must be true or false'],
    [`type=workspaces&${filter('resource_count', 'gt', 'many')}`, 'must be a number'],
    [`type=workspaces&${filter('assessed_at', 'is_after', 'today')}`, 'must be a time in ISO 8601'],
    [`type=workspaces&${filter('workspace_name', 'is')}`, 'Use is_empty'],
    ['type=workspaces&filter[0][workspace_name][is][1]=a', 'no parameter "filter[0][workspace_name][is][1]"'],
    ['type=workspaces&filter[name]=a', 'no parameter "filter[name]"'],
    [
      `type=workspaces&${Array.from({ length: 21 }, (_, at) => filter('drifted', 'is', 'true', at)).join('&')}`,
      'at most 20 filters',
    ],
    ['type=workspaces&sort=drifted,engine,tags,modules', 'at most 3 fields'],
    ['type=providers&sort=workspaces', 'cannot sort by workspaces'],
  ])('refuses %s', async (query, detail) => {
    const answer = await ask(query);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.errors[0].detail).toContain(detail);
    expect(answer.body.errors[0].source.parameter).toBeTruthy();
  });

  it('shows each member the workspaces that it may see, and of these only what it may read', async () => {
    const outsider = (await newOrganization(api)).owner;
    expect((await ask('type=workspaces', outsider)).status).toBe(404);
    const member = await newMember(acme, api, 'apps');
    expect(await names('', member.caller)).toEqual([]);
    const grant = await acme.owner.call(
      'POST',
      '/team-workspaces',
      onWorkspace(member.id, ids.get('apps') ?? '', { access: 'custom', ...NOTHING }),
    );
    expect(grant.status, grant.text).toBe(201);
    expect(await rows('type=workspaces&fields=workspace_name,providers,provider_count,drifted', member.caller)).toEqual(
      [{ drifted: false, 'provider-count': null, providers: null, 'workspace-name': 'apps' }],
    );
    expect(await rows('type=providers', member.caller)).toEqual([]);
    const level = { data: { type: 'team-workspaces', attributes: { access: 'read' } } };
    await acme.owner.call('PATCH', `/team-workspaces/${grant.body.data.id}`, level);
    expect(await rows('type=providers&fields=name,workspace_count', member.caller)).toEqual([
      { name: 'aws', 'workspace-count': 1 },
    ]);
    await acme.owner.call('POST', '/team-projects', onProject(member.id, acme.defaultProjectId, { access: 'read' }));
    expect(await names('', member.caller)).toEqual(['apps', 'empty', 'network', 'planned']);
  });

  it('shows changes of names, projects and tags at once, and on every node', async () => {
    const other = await api.forgetful();
    const there = other.holder(acme.owner.token);
    expect(await names(filter('project_name', 'is', 'green'), there)).toEqual([]);
    const project = await acme.project('blue');
    const id = await acme.workspace('moved', {}, { project: { data: { type: 'projects', id: project } } });
    await acme.owner.call('PATCH', `/projects/${project}`, {
      data: { type: 'projects', attributes: { name: 'green' } },
    });
    await acme.owner.call('POST', `/workspaces/${id}/relationships/tags`, {
      data: [{ type: 'tags', attributes: { name: 'prod' } }],
    });
    await acme.owner.call('PATCH', `/workspaces/${id}/tag-bindings`, {
      data: [{ type: 'tag-bindings', attributes: { key: 'team', value: 'core' } }],
    });
    for (const by of [acme.owner, there]) {
      expect(await names(filter('project_name', 'is', 'green'), by)).toEqual(['moved']);
      expect(await names(filter('tags', 'is', 'team:core'), by)).toEqual(['moved']);
      expect(await rows(`type=workspaces&fields=tags&${filter('tags', 'contains', 'prod')}`, by)).toEqual([
        { tags: 'prod, team:core' },
      ]);
    }
    await withState('fresh', APPS);
    const counted = () => rows(`type=resource_types&${filter('resource_type', 'is', 'aws_instance')}`, there);
    expect((await counted())[0]).toMatchObject({ 'instance-count': 4, workspaces: 'apps, fresh' });
    const tags = await acme.owner.call('GET', `/organizations/${acme.name}/tags`);
    const prod = tags.body.data.map(({ id: tag }: { id: string }) => ({ type: 'tags', id: tag }));
    expect((await acme.owner.call('DELETE', `/organizations/${acme.name}/tags`, { data: prod })).status).toBe(204);
    for (const name of ['moved', 'fresh']) {
      const removed = await acme.owner.call('DELETE', `/organizations/${acme.name}/workspaces/${name}`);
      expect(removed.status).toBe(204);
    }
    expect(await names(filter('tags', 'is', 'prod'), there)).toEqual([]);
    expect((await counted())[0]).toMatchObject({ 'instance-count': 2, workspaces: 'apps' });
    await other.close();
  });

  it('summarizes states that an earlier version stored, in the background', async () => {
    const { database, states } = api.workspaces;
    await database.run(forgetUses, {});
    // The first query of this node reads everything; another node follows the change.
    const other = await api.forgetful();
    const there = other.holder(acme.owner.token);
    const types = () => rows('type=resource_types&fields=resource_type&sort=resource_type', there);
    expect(await types()).toEqual([]);
    const [unknown] = await rows(`type=workspaces&${filter('workspace_name', 'is', 'apps')}`, there);
    expect(unknown).toMatchObject({ providers: null, 'provider-count': null, 'current-rum-count': null });
    while (await states.usesBackfill.step());
    expect((await types()).map((row) => row['resource-type'])).toEqual([
      ...['aws_instance', 'aws_subnet', 'aws_vpc', 'random_pet', 'terraform_data'],
    ]);
    await other.close();
  });

  it('exports CSV in which no cell is a formula', async () => {
    const csv = await acme.owner.call(
      'GET',
      `${path()}/export/csv?type=workspaces&fields=workspace_name,drifted,modules`,
    );
    expect(csv.status).toBe(200);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text.split('\n').slice(0, 3)).toEqual([
      'drifted,modules,workspace_name',
      '"false","","apps"',
      '"false","","empty"',
    ]);
    const id = await acme.workspace('-dash', {});
    const named = await acme.owner.call('GET', `${path()}/export/csv?type=workspaces&fields=workspace_name`);
    expect(named.text.split('\n')[1]).toBe(`"'-dash"`);
    expect((await acme.owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
    const wrong = await acme.owner.call('GET', `${path()}/export/csv?type=workspaces&fields=color`);
    expect(wrong.status).toBe(400);
    expect(wrong.headers['content-type']).toContain('application/vnd.api+json');
  });
});

const forgetUses = sql('UPDATE state_content SET summary = NULL');

async function inline(text: string) {
  const { md5, base64 } = await import('../../support/states.ts');
  return { md5: md5(text), serial: 1, state: base64(text), lineage: 'lineage-1' };
}
