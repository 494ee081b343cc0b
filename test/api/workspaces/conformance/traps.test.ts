import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { privateKey } from '../../../support/samples/private-key.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { atAddress, base64, stateText, versionBody, worker } from '../support/states.ts';
import { withAccess } from './support/members.ts';

/**
 * Details that break official clients silently, one test each: requests in the form of the clients, and the fields
 * that they read.
 */
describe.each(databaseKinds)('wire traps (facts §10.1) on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const get = (path: string, caller: Pick<Caller, 'call'> = acme.owner) => caller.call('GET', path);
  const show = async (id: string, query = '') => (await get(`/workspaces/${id}${query}`)).body;
  const list = (query: string) => get(`/organizations/${acme.name}/workspaces?${query}`);
  const patch = (id: string, attributes: object, relationships?: object) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes, relationships));
  const act = (id: string, action: string, caller: Pick<Caller, 'call'> = acme.owner) =>
    caller.call('POST', `/workspaces/${id}/actions/${action}`);
  const nameOf = (prefix: string) => `${prefix}-${++names}`;
  const bindings = (...pairs: [string, string][]) => ({
    data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
  });
  async function holderOf(path: string): Promise<Caller> {
    const made = await acme.owner.call('POST', path, { data: { type: 'authentication-tokens', attributes: {} } });
    return api.holder(made.body.data.attributes.token);
  }

  test('1: tags are named by attributes.name, to add and to remove, and listed as whole resources', async () => {
    const id = await acme.workspace(nameOf('w'));
    const path = `/workspaces/${id}/relationships/tags`;
    // A client sends all fields of its structure.
    const tag = (name: string) => ({ type: 'tags', attributes: { name, 'instance-count': 0 } });
    expect((await acme.owner.call('POST', path, { data: [tag('one'), tag('two')] })).status).toBe(204);
    expect((await acme.owner.call('DELETE', path, { data: [tag('one'), tag('NonExistent')] })).status).toBe(204);
    const { data } = (await get(path)).body;
    expect(data).toMatchObject([{ type: 'tags', id: expect.stringMatching(/^tag-/), attributes: { name: 'two' } }]);
    expect(data[0].attributes).toMatchObject({ 'instance-count': 1, 'created-at': expect.any(String) });
  });

  test('2: the id of an SSH key is under attributes.id, where a client that reads data.id would unassign', async () => {
    const id = await acme.workspace(nameOf('w'));
    const key = { data: { type: 'ssh-keys', attributes: { name: 'k', value: privateKey } } };
    const made = (await acme.owner.call('POST', `/organizations/${acme.name}/ssh-keys`, key)).body.data.id;
    const body = { data: { type: 'workspaces', attributes: { id: made } } };
    const answer = await acme.owner.call('PATCH', `/workspaces/${id}/relationships/ssh-key`, body);
    expect(answer.body.data.relationships['ssh-key'].data).toEqual({ type: 'ssh-keys', id: made });
  });

  test('3: can-force-delete and setting-overwrites and actions are in every document, for every caller', async () => {
    const id = await acme.workspace(nameOf('w'));
    const reader = await withAccess(api, acme, id, { access: 'read' });
    const documents = [
      (await show(id)).data,
      (await get(`/workspaces/${id}`, reader)).body.data,
      ...(await get(`/organizations/${acme.name}/workspaces`, reader)).body.data,
      (await patch(id, { 'execution-mode': 'local' })).body.data,
      (await act(id, 'lock')).body.data,
    ];
    expect(documents).toHaveLength(5);
    for (const { attributes } of documents) {
      expect(attributes).toMatchObject({
        permissions: { 'can-force-delete': expect.any(Boolean) },
        'setting-overwrites': { 'execution-mode': expect.any(Boolean), 'agent-pool': expect.any(Boolean) },
        actions: { 'is-destroyable': expect.any(Boolean) },
      });
    }
  });

  test('4: include takes dashes and underscores; an unknown value is a 400 with "include parameter"', async () => {
    const id = await acme.workspace(nameOf('w'));
    expect((await show(id, '?include=locked-by,current-state-version,project')).included).toHaveLength(1);
    for (const path of [`/workspaces/${id}`, `/organizations/${acme.name}/workspaces`]) {
      const refused = await get(`${path}?include=nonsense`);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('include parameter')]);
    }
  });

  test('5: search[tags] finds keys of bindings; an empty filter value matches any, and inherited tags count', async () => {
    const project = await acme.project(nameOf('Project'));
    await acme.owner.call('PATCH', `/projects/${project}/tag-bindings`, bindings(['trap5-inherited', 'x']));
    const place = { project: { data: { type: 'projects', id: project } } };
    const name = nameOf('w');
    await acme.workspace(name, {}, { ...place, 'tag-bindings': bindings(['trap5-own', 'y']) });
    for (const query of [
      'search[tags]=trap5-own',
      'filter[tagged][0][key]=trap5-own&filter[tagged][0][value]=',
      'filter[tagged][0][key]=trap5-inherited&filter[tagged][0][value]=',
      'filter[tagged][0][key]=trap5-inherited&filter[tagged][1][key]=trap5-own&filter[tagged][1][value]=y',
      'search%5Btags%5D=trap5-own&filter%5Btagged%5D%5B0%5D%5Bkey%5D=trap5-own',
    ]) {
      expect(namesOf(await list(query)), query).toEqual([name]);
    }
    expect(namesOf(await list('filter[tagged][0][key]=trap5-own&filter[tagged][0][value]=z'))).toEqual([]);
  });

  test('6: the errors of conflicts have exactly the words by which clients distinguish them', async () => {
    const runs = runsOf(api, acme);
    const id = await runs.workspace(nameOf('w'));
    const at = worker(api, acme.owner, id);
    const detailOf = async (action: string, caller?: Caller) => (await act(id, action, caller)).body.errors[0].detail;
    const admin = await withAccess(api, acme, id, { access: 'admin' });
    const machine = await acme.machine(nameOf('m'), { 'manage-workspaces': true });
    await at.lock();
    await at.write(stateText(1), { serial: 1 });
    expect(await detailOf('safe-delete')).toContain('locked');
    expect(await detailOf('unlock', admin)).toContain('is locked by User');
    await at.unlock();
    expect(await detailOf('unlock')).not.toContain('is locked by');
    const manages = await act(id, 'safe-delete');
    expect(manages.body.errors[0]).toMatchObject({ title: 'conflict' });
    expect(manages.text).not.toMatch(/locked|being processed/);
    await act(id, 'lock', machine);
    expect(await detailOf('unlock')).toContain('is locked by Team');
    await act(id, 'unlock', machine);
    await runs.run(id);
    expect(await detailOf('unlock')).toContain('is locked by Run');
  });

  test('7: an effective binding has links and relationships only where it is inherited', async () => {
    const project = await acme.project(nameOf('Project'));
    await acme.owner.call('PATCH', `/projects/${project}/tag-bindings`, bindings(['above', 'x']));
    const place = { project: { data: { type: 'projects', id: project } } };
    const id = await acme.workspace(nameOf('w'), {}, { ...place, 'tag-bindings': bindings(['own', 'y']) });
    const [above, own] = (await get(`/workspaces/${id}/effective-tag-bindings`)).body.data;
    expect(above).toMatchObject({
      links: { 'inherited-from': `/api/v2/projects/${project}` },
      relationships: { 'inherited-from': { data: { type: 'projects', id: project } } },
    });
    expect(Object.keys(own).toSorted()).toEqual(['attributes', 'type']);
  });

  test('8: null clears, absence keeps, an empty agent-pool-id is none, the unknown is ignored, the past accepted', async () => {
    const id = await acme.workspace(nameOf('w'), { 'auto-destroy-at': '2025-01-01T00:00:00Z' });
    const at = async (attributes: object) => {
      const answer = await patch(id, attributes);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.attributes['auto-destroy-at'];
    };
    expect(await at({ 'agent-pool-id': '', 'hyok-enabled': false, nonsense: { deep: [1] } })).toMatch(/^2025-01-01/);
    expect(await at({ 'auto-destroy-at': null })).toBeNull();
  });

  test('9: the ID of an organization is its name, links use names, and a list has the documents of show', async () => {
    const name = nameOf('w');
    const { data } = await show(await acme.workspace(name));
    expect(data.relationships.organization.data).toEqual({ type: 'organizations', id: acme.name });
    expect(data.links.self).toBe(`/api/v2/organizations/${acme.name}/workspaces/${name}`);
    expect((await list(`search[name]=${name}`)).body.data).toEqual([data]);
  });

  test('10: sorted by current-run.created-at, workspaces without a run are last; a page out of range returns 200', async () => {
    const org = await newOrganization(api);
    await org.workspace('a-without');
    const runs = runsOf(api, org);
    for (const name of ['y', 'x']) await runs.run(await runs.workspace(name));
    const sorted = (query: string) => get(`/organizations/${org.name}/workspaces?sort=${query}`, org.owner);
    expect(namesOf(await sorted('current-run.created-at'))).toEqual(['y', 'x', 'a-without']);
    const far = await sorted('current-run.created-at&page[number]=999');
    expect([far.status, far.body.data]).toEqual([200, []]);
    expect(far.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 3 });
  });

  test('11: a state is uploaded without a token and downloaded with or without one; no byte of it is compared', async () => {
    const at = worker(api, acme.owner, await acme.workspace(nameOf('w')));
    await at.lock();
    // Serial and lineage in the file differ from those in the request.
    const version = await at.upload(stateText(5), { serial: 1, lineage: 'another' });
    const address = version.attributes['hosted-state-download-url'];
    const { pathname, search } = new URL(address);
    const withToken = await get(`${pathname.replace('/api/v2', '')}${search}`);
    expect([withToken.text, (await atAddress(api, 'GET', address)).text]).toEqual([stateText(5), stateText(5)]);
    const opaque = '{"encrypted_data":"AAAA"}';
    expect((await at.upload(opaque, { serial: 2 })).attributes.status).toBe('finalized');
  });

  test('12: without a state the URLs exist; the upload finalizes at once; a pending one makes unlock 503', async () => {
    const at = worker(api, acme.owner, await acme.workspace(nameOf('w')));
    await at.lock();
    const { attributes } = (await at.create(stateText(1), { serial: 1 })).body.data;
    expect(attributes['hosted-state-upload-url']).toMatch(/^http/);
    expect(attributes['hosted-json-state-upload-url']).toMatch(/^http/);
    expect((await at.unlock()).status).toBe(503);
    await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], stateText(1));
    const current = (await at.current()).body.data.attributes;
    expect(current).toMatchObject({ status: 'finalized', 'resources-processed': true });
    expect((await at.unlock()).status).toBe(200);
  });

  test('13: the relationship to a policy exists only with a policy, with its type; POST returns it, in both spellings', async () => {
    const id = await acme.workspace(nameOf('w'));
    const pointer = async () => (await show(id)).data.relationships['data-retention-policy'];
    expect(await pointer()).toBeUndefined();
    const path = `/workspaces/${id}/relationships/data-retention-policy`;
    for (const name of ['deleteOlderThanNDays', 'delete-older-than-n-days']) {
      const body = { data: { type: 'data-retention-policy-delete-olders', attributes: { [name]: 7 } } };
      const { data } = (await acme.owner.call('POST', path, body)).body;
      expect(data.attributes).toMatchObject({ 'delete-older-than-n-days': 7 });
      expect((await pointer()).data).toEqual({ type: 'data-retention-policy-delete-olders', id: data.id });
    }
    await acme.owner.call('DELETE', path);
    expect(await pointer()).toBeUndefined();
  });

  test('14: ping has the version of the API and one of the server that is no semantic version, for every caller', async () => {
    for (const caller of [api.nobody(), acme.owner]) {
      const { headers } = await get('/ping', caller);
      expect(headers).toMatchObject({ 'tfp-api-version': '2.6', 'tfp-appname': 'Terraform Enterprise' });
      expect(headers['x-tfe-version']).toMatch(/^v\d{6}-\d+$/);
      expect(headers['x-tfe-current-version'], 'the new numbering, from 2.0.1 on').toMatch(/^2\.\d+\.[1-9]\d*$/);
    }
  });

  test('15: no rate limit is announced where there is none, and many concurrent requests all get a response', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/ping')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    }
  });

  test('16: tokens of teams and of the organization hold locks; that of the organization uploads no state', async () => {
    const team = await acme.team(nameOf('team'), { 'manage-workspaces': true });
    const teamToken = await holderOf(`/teams/${team}/authentication-token`);
    const organizationToken = await holderOf(`/organizations/${acme.name}/authentication-token`);
    for (const [caller, type, uploads] of [
      [teamToken, 'teams', 201],
      [organizationToken, 'users', 404],
    ] as const) {
      const id = await acme.workspace(nameOf('w'));
      const locked = await act(id, 'lock', caller);
      expect([locked.status, locked.body.data.relationships['locked-by'].data.type]).toEqual([200, type]);
      expect((await act(id, 'unlock')).status, 'an owner does not hold it').toBe(409);
      const body = versionBody(stateText(1), { serial: 1, state: base64(stateText(1)) });
      expect((await caller.call('POST', `/workspaces/${id}/state-versions`, body)).status, type).toBe(uploads);
      expect((await act(id, 'unlock', caller)).status).toBe(200);
    }
  });

  test('17: a forbidden request gets 404, except a force delete (all routes: test/golden/permissions-workspaces.txt)', async () => {
    const id = await acme.workspace(nameOf('w'));
    const reader = await withAccess(api, acme, id, { access: 'read' });
    expect((await reader.call('PATCH', `/workspaces/${id}`, workspaceBody({ 'auto-apply': true }))).status).toBe(404);
    for (const action of ['lock', 'unlock', 'force-unlock', 'safe-delete']) {
      expect((await act(id, action, reader)).status, action).toBe(404);
    }
    expect((await reader.call('DELETE', `/workspaces/${id}`)).status).toBe(404);
    const admin = await withAccess(api, acme, id, { access: 'admin' });
    expect((await admin.call('DELETE', `/workspaces/${id}`)).status).toBe(403);
  });

  test('18: an organization takes all it has along, a project with workspaces stays', async () => {
    const org = await newOrganization(api);
    const project = await org.project('Kept');
    const id = await org.workspace('inside', {}, { project: { data: { type: 'projects', id: project } } });
    expect((await org.owner.call('DELETE', `/projects/${project}`)).status).toBe(409);
    expect((await get(`/workspaces/${id}`, org.owner)).status).toBe(200);
    expect((await org.owner.call('DELETE', `/organizations/${org.name}`)).status).toBe(204);
    for (const path of [`/workspaces/${id}`, `/projects/${project}`, `/organizations/${org.name}`]) {
      expect((await get(path, org.owner)).status, path).toBe(404);
    }
  });
});
