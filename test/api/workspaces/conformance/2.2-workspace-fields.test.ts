import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { agentsOf, byAgents } from '../support/agents.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { stateText, worker } from '../support/states.ts';
import { sshKey } from './support/ssh-key.ts';

type Kind = 'boolean' | 'string' | 'number' | 'time' | 'strings' | 'object';

/** The table: of which type an attribute is, and whether it may be null. */
const ATTRIBUTES: Readonly<Record<string, Kind | `${Kind} or null`>> = {
  actions: 'object',
  'allow-destroy-plan': 'boolean',
  'assessments-enabled': 'boolean',
  'auto-apply': 'boolean',
  'auto-apply-run-trigger': 'boolean',
  'auto-destroy-at': 'time or null',
  'auto-destroy-status': 'string or null',
  'auto-destroy-activity-duration': 'string or null',
  'inherits-project-auto-destroy': 'boolean or null',
  'created-at': 'time',
  description: 'string or null',
  environment: 'string',
  'execution-mode': 'string',
  'file-triggers-enabled': 'boolean',
  'global-remote-state': 'boolean',
  'latest-change-at': 'time',
  'last-assessment-result-at': 'time or null',
  locked: 'boolean',
  'locked-reason': 'string or null',
  name: 'string',
  'oauth-client-name': 'string or null',
  operations: 'boolean',
  permissions: 'object',
  'apply-duration-average': 'number or null',
  'plan-duration-average': 'number or null',
  'policy-check-failures': 'number or null',
  'run-failures': 'number or null',
  'workspace-kpis-runs-count': 'number or null',
  'queue-all-runs': 'boolean',
  'resource-count': 'number',
  source: 'string',
  'source-name': 'string or null',
  'source-url': 'string or null',
  'speculative-enabled': 'boolean',
  'structured-run-output-enabled': 'boolean',
  'tag-names': 'strings',
  'engine-version': 'string',
  'terraform-version': 'string',
  'trigger-prefixes': 'strings',
  'trigger-patterns': 'strings',
  'updated-at': 'time',
  'vcs-repo': 'object or null',
  'vcs-repo-identifier': 'string or null',
  'working-directory': 'string or null',
  'setting-overwrites': 'object',
};

/** Attributes that this server never computes: null, as the table allows. */
const NEVER = ['last-assessment-result-at'];

/** The table of relationships: the target type, `[]` for several, `links` for a URL without a target. */
const RELATIONSHIPS: Readonly<Record<string, string>> = {
  'agent-pool': 'agent-pools',
  'current-configuration-version': 'configuration-versions',
  'current-run': 'runs',
  'latest-run': 'runs',
  'current-state-version': 'state-versions',
  'current-assessment-result': 'null',
  organization: 'organizations',
  outputs: 'workspace-outputs[]',
  project: 'projects',
  readme: 'null',
  'remote-state-consumers': 'links',
  'ssh-key': 'ssh-keys',
  'locked-by': 'users',
  'tag-bindings': 'links',
  'effective-tag-bindings': 'links',
  vars: 'vars[]',
};

function kindOf(value: unknown): Kind | 'null' | undefined {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? 'strings' : undefined;
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? 'time' : 'string';
  return typeof value as Kind;
}

describe.each(databaseKinds)('spec §2.2 fields of a workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  /** A workspace without any related data, and one with all of it. */
  const ids = { empty: '', full: '' };
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    ids.empty = await acme.workspace('empty');
    ids.full = await full();
  });
  afterAll(() => api.close());

  async function made(type: string, attributes: object) {
    const { status, body, text } = await acme.owner.call('POST', `/organizations/${acme.name}/${type}`, {
      data: { type, attributes },
    });
    expect(status, text).toBe(201);
    return body.data;
  }

  async function full(): Promise<string> {
    const { owner } = acme;
    const client = await made('oauth-clients', {
      name: 'code',
      'service-provider': 'github',
      'http-url': 'https://github.example.com',
      'api-url': 'https://api.github.example.com',
      'oauth-token-string': 'not-a-real-token',
    });
    const agents = agentsOf(api, acme);
    const pool = await agents.pool('pool');
    const id = await acme.workspace('full', {
      ...byAgents(pool),
      description: 'x',
      'auto-destroy-activity-duration': '14d',
      'source-name': 'pipeline',
      'source-url': 'https://example.com',
      'trigger-patterns': ['*.tf'],
      'vcs-repo': {
        identifier: 'acme/infra',
        'oauth-token-id': client.relationships['oauth-tokens'].data[0].id,
      },
      'working-directory': 'env',
    });
    const path = `/workspaces/${id}`;
    await owner.call('POST', `${path}/relationships/tags`, { data: [{ type: 'tags', attributes: { name: 'blue' } }] });
    await owner.call('POST', `${path}/vars`, {
      data: { type: 'vars', attributes: { key: 'a', value: '1', category: 'env' } },
    });
    const key = await made('ssh-keys', sshKey());
    const assigned = workspaceBody({ id: key.id });
    expect((await owner.call('PATCH', `${path}/relationships/ssh-key`, assigned)).status).toBe(200);
    const runs = runsOf(api, acme);
    await runs.uploaded(id);
    const run = await runs.run(id);
    const agent = await agents.agent(pool);
    const work = async () => {
      const job = await agent.take();
      await job.start();
      expect((await job.finish('finished', { 'has-changes': true })).status).toBe(204);
      await agent.say('idle');
    };
    await work();
    await runs.act(run, 'apply');
    await work();
    expect(await runs.statusOf(run)).toBe('applied');
    api.advance(1000);
    const state = worker(api, owner, id);
    expect((await state.lock()).status).toBe(200);
    await state.write(stateText(1, { outputs: { address: { value: '10.0.0.1', type: 'string' } } }), { serial: 1 });
    return id;
  }

  const show = async (id: string) => (await acme.owner.call('GET', `/workspaces/${id}`)).body.data;

  test('the members at the top are those of the text', async () => {
    for (const [name, id] of Object.entries(ids)) {
      const { relationships, attributes, ...top } = await show(id);
      expect(top).toEqual({
        id,
        type: 'workspaces',
        links: {
          self: `/api/v2/organizations/${acme.name}/workspaces/${name}`,
          'self-html': `/app/${acme.name}/workspaces/${name}`,
        },
      });
      expect(Object.keys(attributes)).toEqual(expect.arrayContaining(Object.keys(ATTRIBUTES)));
      expect(Object.keys(relationships)).toEqual(expect.arrayContaining(Object.keys(RELATIONSHIPS)));
    }
  });

  test.each(Object.entries(ATTRIBUTES))('%s is %s', async (name, wanted) => {
    const [type] = wanted.split(' or ');
    const ofFull = kindOf((await show(ids.full)).attributes[name]);
    expect(ofFull).toBe(NEVER.includes(name) ? 'null' : type);
    const ofEmpty = kindOf((await show(ids.empty)).attributes[name]);
    expect(wanted.includes('null') ? [type, 'null'] : [type]).toContain(ofEmpty);
  });

  test('objects have the members of the text, all of them booleans', async () => {
    for (const id of Object.values(ids)) {
      const { attributes } = await show(id);
      expect(attributes.actions).toEqual({ 'is-destroyable': true });
      const overwrites = id === ids.full;
      expect(attributes['setting-overwrites']).toEqual({ 'execution-mode': overwrites, 'agent-pool': overwrites });
    }
  });

  test.each(Object.entries(RELATIONSHIPS))('the relationship %s refers to %s', async (name, wanted) => {
    const [empty, filled] = [await show(ids.empty), await show(ids.full)].map(
      ({ relationships }) => relationships[name],
    );
    const type = wanted.replace('[]', '');
    if (wanted === 'links') {
      expect(empty).toEqual({ links: { related: `/api/v2/workspaces/${ids.empty}/${pathOf(name)}` } });
      expect(Object.keys(filled)).toEqual(['links']);
    } else if (wanted === 'null') {
      expect([empty, filled]).toEqual([{ data: null }, { data: null }]);
    } else if (wanted.endsWith('[]')) {
      expect(empty.data).toEqual([]);
      expect(filled.data).toEqual([{ type, id: expect.any(String) }]);
    } else {
      expect(filled.data).toEqual({ type, id: expect.any(String) });
      const always = ['organization', 'project'].includes(name);
      expect(empty.data).toEqual(always ? { type, id: expect.any(String) } : null);
    }
  });

  const pathOf = (name: string) => (name === 'remote-state-consumers' ? `relationships/${name}` : name);

  test('every URL in the document exists', async () => {
    for (const id of Object.values(ids)) {
      const { links, relationships } = await show(id);
      const related = Object.values<{ data?: unknown; links?: { related: string } }>(relationships).flatMap(
        // A workspace without a state has no current state version to show.
        (one) => (one.links && one.data !== null ? [one.links.related] : []),
      );
      for (const address of [links.self, ...related]) {
        const answer = await acme.owner.call('GET', address.slice('/api/v2'.length));
        expect(answer.status, address).toBe(200);
      }
    }
  });

  test('deprecated attributes have the values of their replacements', async () => {
    const { attributes, relationships } = await show(ids.full);
    expect(relationships['latest-run']).toEqual(relationships['current-run']);
    expect(attributes.operations).toBe(true);
    expect(attributes).not.toHaveProperty('drift-detection');
    expect(attributes).not.toHaveProperty('workspace-kpis-run-count');
  });

  test('the latest change is that of the state, or else the beginning', async () => {
    const { attributes: empty } = await show(ids.empty);
    expect(empty['latest-change-at']).toBe(empty['created-at']);
    const { attributes, relationships } = await show(ids.full);
    const { id } = relationships['current-state-version'].data;
    const state = await acme.owner.call('GET', `/state-versions/${id}`);
    expect(attributes['latest-change-at']).toBe(state.body.data.attributes['created-at']);
    expect(attributes['latest-change-at']).not.toBe(attributes['created-at']);
  });

  test('created, shown by id and by names, changed and listed, it is one and the same document', async () => {
    const path = `/organizations/${acme.name}/workspaces`;
    const made = await acme.owner.call('POST', path, workspaceBody({ name: 'same', description: 'x' }));
    const { id } = made.body.data;
    const ways = [
      (await acme.owner.call('GET', `/workspaces/${id}`)).body.data,
      (await acme.owner.call('GET', `${path}/same`)).body.data,
      (await acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody({}))).body.data,
      (await acme.owner.call('PATCH', `${path}/same`, workspaceBody({}))).body.data,
      (await acme.owner.call('GET', `${path}?search[wildcard-name]=same`)).body.data[0],
    ];
    for (const document of ways) expect(document).toEqual(made.body.data);
    const list = (await acme.owner.call('GET', path)).body.data;
    expect(list).toContainEqual(await show(ids.full));
    expect(list).toContainEqual(await show(ids.empty));
  });
});
