import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { privateKey } from '../../../support/samples/private-key.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { stateText, worker } from '../support/states.ts';
import { withAccess } from './support/members.ts';

interface Linked {
  readonly type: string;
  readonly id: string;
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
}

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`;

/** Returns the resources that the relationships point at. */
function pointedAt(resources: readonly Linked[]): Set<string> {
  const all = resources.flatMap(({ relationships = {} }) => Object.values(relationships));
  return new Set(all.flatMap(({ data }) => [data ?? []].flat() as Linked[]).map(keyOf));
}

describe.each(databaseKinds)('spec §4.4 show workspace on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  const show = (query = '', caller = acme.owner) => caller.call('GET', `/workspaces/${id}${query}`);
  const typesOf = (answer: { body: { included?: readonly Linked[] } }) =>
    (answer.body.included ?? []).map(({ type }) => type);

  /** A workspace that has one of everything, and is locked by its run. */
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    const { owner, name } = acme;
    const runs = runsOf(api, acme);
    id = await runs.workspace('whole');
    const at = worker(api, owner, id);
    await at.lock();
    await at.write(stateText(1, { outputs: { address: { value: '10.0.0.1', type: 'string' } } }), { serial: 1 });
    await at.unlock();
    const create = async (type: string, attributes: object) =>
      (await owner.call('POST', `/organizations/${name}/${type}`, { data: { type, attributes } })).body.data.id;
    const pool = await create('agent-pools', { name: 'pool' });
    await owner.call('PATCH', at.path, workspaceBody({ 'execution-mode': 'agent', 'agent-pool-id': pool }));
    const key = await create('ssh-keys', { name: 'key', value: privateKey });
    await owner.call('PATCH', `${at.path}/relationships/ssh-key`, { data: { type: 'ssh-keys', id: key } });
    await runs.run(id);
  });
  afterAll(() => api.close());

  /** The values of the specification, then those that official clients add. */
  const WORDS: readonly [word: string, types: readonly string[]][] = [
    ['current_configuration_version', ['configuration-versions']],
    ['current_configuration_version.ingress_attributes', ['configuration-versions']],
    ['current_run', ['runs']],
    ['current_run.configuration_version', ['runs', 'configuration-versions']],
    ['current_run.configuration_version.ingress_attributes', ['runs', 'configuration-versions']],
    ['current_run.plan', ['runs', 'plans']],
    ['locked_by', ['runs']],
    ['organization', ['organizations']],
    ['outputs', ['workspace-outputs']],
    ['project', ['projects']],
    ['readme', []],
    ['agent_pool', ['agent-pools']],
    ['current_assessment_result', []],
    ['current_run.apply', ['runs', 'applies']],
    ['current_state_version', ['state-versions']],
    ['current_state_version.resources_processed', ['state-versions']],
    ['latest_run', ['runs']],
    ['ssh_key', ['ssh-keys']],
  ];

  test.each(WORDS)('include=%s adds the existing resources: %j', async (word, types) => {
    const answer = await show(`?include=${word}`);
    expect(answer.status).toBe(200);
    expect(typesOf(answer)).toEqual(types);
    expect((await show(`?include=${word.replaceAll('_', '-')}`)).body).toEqual(answer.body);
    expect(answer.body.data).toEqual((await show()).body.data);
  });

  test('all values at once, separated by commas, add each resource once, and nothing that is not pointed at', async () => {
    const { body } = await show(`?include=${WORDS.map(([word]) => word).join()}`);
    const keys = body.included.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    const known = pointedAt([body.data, ...body.included]);
    expect(keys.filter((key: string) => !known.has(key))).toEqual([]);
  });

  test('an included resource equals the document at its own URL', async () => {
    const { included } = (await show('?include=current_run,organization,project,agent_pool,ssh_key')).body;
    expect(included).toHaveLength(5);
    for (const resource of included) {
      const { body } = await acme.owner.call('GET', `/${resource.type}/${resource.id}`);
      expect(resource).toEqual(body.data);
    }
  });

  test('both paths behave identically: found, with includes, unknown values, and missing workspaces', async () => {
    const byName = (name: string, query = '') =>
      acme.owner.call('GET', `/organizations/${acme.name}/workspaces/${name}${query}`);
    for (const query of ['', '?include=current_run.plan,project,outputs', '?include=nonsense', '?include=']) {
      const [one, other] = [await show(query), await byName('whole', query)];
      expect([one.status, one.body]).toEqual([other.status, other.body]);
    }
    const absent = await acme.owner.call('GET', '/workspaces/ws-none');
    expect(absent.status).toBe(404);
    expect((await byName('none')).body).toEqual(absent.body);
    expect((await byName('WHOLE')).status, 'names are case-sensitive').toBe(404);
    expect((await acme.owner.call('GET', '/workspaces/whole')).status, 'a name is no id').toBe(404);
    expect((await byName(id)).status, 'an id is no name').toBe(404);
    const others = await newOrganization(api);
    const foreign = `/organizations/${others.name}/workspaces/whole`;
    expect((await acme.owner.call('GET', foreign)).body).toEqual(absent.body);
    expect((await others.owner.call('GET', foreign)).body).toEqual(absent.body);
  });

  test('an include does not return resources that the caller may not see', async () => {
    const blind = await withAccess(api, acme, id, { access: 'custom', runs: 'read', 'state-versions': 'none' });
    const { body, status } = await show(`?include=${WORDS.map(([word]) => word).join()}`, blind);
    expect(status).toBe(200);
    const types = new Set(body.included.map(({ type }: Linked) => type));
    for (const hidden of ['workspace-outputs', 'state-versions', 'ssh-keys', 'agent-pools']) {
      expect(types).not.toContain(hidden);
    }
    expect(types).toContain('runs');
  });

  test('includes are for the GET endpoints: list and show alike', async () => {
    const { body } = await acme.owner.call(
      'GET',
      `/organizations/${acme.name}/workspaces?include=locked_by,current_run.plan`,
    );
    expect(typesOf({ body })).toEqual(typesOf(await show('?include=locked_by,current_run.plan')));
  });
});
