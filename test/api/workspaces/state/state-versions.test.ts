import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, newTeamMember, type TestOrganization } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';
import { atAddress, base64, lockedWorkspace, resource, stateText, versionBody, worker } from '../support/states.ts';

describe.each(databaseKinds)('state versions on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const locked = () => lockedWorkspace(api, acme, `s-${++names}`);
  const get = (path: string) => acme.owner.call('GET', path);

  test('facts §4.3: a version without a state has URLs, and the upload finalizes it at once (trap 12)', async () => {
    const { id, create, current } = await locked();
    const text = stateText(1);
    const created = await create(text, { serial: 1, lineage: 'lineage-1' });
    expect(created.status).toBe(201);
    const { attributes } = created.body.data;
    expect(attributes).toMatchObject({ status: 'pending', serial: 1, size: 0, 'hosted-state-download-url': null });
    expect(attributes['hosted-state-upload-url']).toMatch(/^http:\/\/keeper\.example\.com:8443\/api\/v2\//);
    expect((await current()).status).toBe(404);

    const put = await atAddress(api, 'PUT', attributes['hosted-state-upload-url'], text);
    expect(put.status, put.text).toBe(200);
    const json = await atAddress(api, 'PUT', attributes['hosted-json-state-upload-url'], '{"format_version":"1.0"}');
    expect(json.status, json.text).toBe(200);

    const shown = await current();
    expect(shown.body.data.id).toBe(created.body.data.id);
    expect(shown.body.data.attributes).toMatchObject({
      status: 'finalized',
      'resources-processed': true,
      size: text.length,
      'state-version': 4,
      'terraform-version': '1.10.5',
      'hosted-state-upload-url': null,
      'hosted-json-state-upload-url': null,
      modules: { root: { 'aws-instance': 1 } },
      providers: { 'provider["registry.opentofu.org/hashicorp/aws"]': { 'aws-instance': 1 } },
      resources: [{ name: 'web', type: 'aws_instance', count: 1, module: 'root' }],
    });
    expect(shown.body.data.relationships).toMatchObject({
      'created-by': { data: { type: 'users', id: acme.owner.id } },
      workspace: { data: { type: 'workspaces', id } },
      run: { data: null },
    });
    const state = await atAddress(api, 'GET', shown.body.data.attributes['hosted-state-download-url']);
    expect(state).toMatchObject({ status: 200, text });
    expect(state.headers['content-type']).toBe('application/octet-stream');
    expect(state.headers['content-length']).toBe(String(text.length));
    const form = await atAddress(api, 'GET', shown.body.data.attributes['hosted-json-state-download-url']);
    expect(form).toMatchObject({ status: 200, text: '{"format_version":"1.0"}' });
  });

  test('a state inside the document is finalized with it, and create, show, list and current are the same', async () => {
    const { id, name, write, current } = await locked();
    const created = await write(stateText(0), { serial: 0, 'json-state': base64('{"a":1}') });
    expect(created.attributes.status).toBe('finalized');
    expect((await get(`/state-versions/${created.id}`)).body.data).toEqual(created);
    expect((await current()).body.data).toEqual(created);
    const path = `/state-versions?filter[organization][name]=${acme.name}&filter[workspace][name]=${name}`;
    expect((await get(path)).body.data).toEqual([created]);
    const shown = (await get(`/workspaces/${id}`)).body.data;
    expect(shown.attributes['resource-count']).toBe(1);
    expect(shown.relationships['current-state-version'].data).toEqual({ type: 'state-versions', id: created.id });
  });

  test('issue 6: a version shows by which certificate it was made', async () => {
    const id = await acme.workspace(`s-${++names}`);
    const machine = await acme.machine('runner', { 'manage-workspaces': true });
    const at = worker(api, machine, id);
    await at.lock();
    const created = await at.write(stateText(1), { serial: 1 });
    expect(created.relationships['created-by'].data.type).toBe('teams');
    expect(created.attributes['created-by-certificate']).toEqual({
      mount: 'cert',
      role: `${acme.name}/runner`,
      subject: 'CN=runner-1.example.com,O=Example',
      'serial-number': '123456789012345678901234567890',
    });
    expect((await at.unlock()).status).toBe(200);
  });

  test('facts §4.4: an organization token uploads no states (trap 16), and a stranger sees nothing', async () => {
    const { id, write } = await locked();
    const { id: version } = await write(stateText(1), { serial: 1 });
    const stranger = await api.user(`stranger-${names}`);
    const made = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`, {});
    expect(made.status, made.text).toBe(201);
    const organization = api.holder(made.body.data.attributes.token);
    const body = versionBody(stateText(2), { serial: 2 });
    for (const caller of [stranger, organization]) {
      expect((await caller.call('POST', `/workspaces/${id}/state-versions`, body)).status).toBe(404);
    }
    for (const path of [
      `/state-versions/${version}`,
      `/state-versions/${version}/download`,
      `/state-versions/sv-none`,
    ]) {
      expect((await stranger.call('GET', path)).status, path).toBe(404);
    }
  });

  test('spec §3: an intermediate version becomes current when the workspace is unlocked, the newest of them', async () => {
    const { write, current, unlock, show } = await locked();
    const first = await write(stateText(1), { serial: 1 });
    const two = resource('aws_instance', 'web', [{ id: 1 }, { id: 2 }]);
    await write(stateText(2), { serial: 2, intermediate: true });
    const snapshot = await write(stateText(3, { resources: [two] }), { serial: 3, intermediate: true });
    expect((await current()).body.data.id).toBe(first.id);
    expect((await show()).attributes['resource-count']).toBe(1);
    expect((await unlock()).status).toBe(200);
    expect((await current()).body.data.id).toBe(snapshot.id);
    expect((await show()).attributes['resource-count']).toBe(2);
    const { data } = (await current()).body;
    expect(data.attributes.intermediate, 'it is a snapshot no longer').toBe(false);
    expect((await get(`/state-versions/${data.id}`)).body.data.attributes.intermediate).toBe(false);
  });

  test('spec §2.2: latest-change-at is when the current version was made, and updated-at does not move', async () => {
    const { write, show, unlock } = await locked();
    const before = (await show()).attributes;
    api.advance(5000);
    const created = await write(stateText(1), { serial: 1 });
    await unlock();
    const after = (await show()).attributes;
    expect(after['latest-change-at']).toBe(created.attributes['created-at']);
    expect(after['latest-change-at']).not.toBe(before['latest-change-at']);
    expect(after['updated-at']).toBe(before['updated-at']);
  });

  test('lists are paged, newest first, filtered by status; a page out of range is empty', async () => {
    const { name, write, create } = await locked();
    const ids: string[] = [];
    for (let serial = 0; serial < 3; serial++) ids.unshift((await write(stateText(serial), { serial })).id);
    const pending = (await create(stateText(9), { serial: 9 })).body.data.id;
    const path = `/state-versions?filter%5Borganization%5D%5Bname%5D=${acme.name}&filter%5Bworkspace%5D%5Bname%5D=${name}`;
    const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);
    expect(idsOf(await get(path))).toEqual([pending, ...ids]);
    expect(idsOf(await get(`${path}&filter[status]=finalized&page[size]=2&page[number]=2`))).toEqual([ids[2]]);
    const far = await get(`${path}&page[number]=999`);
    expect(far.body.data).toEqual([]);
    expect(far.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 4 });
    expect((await get(`/state-versions?filter[workspace][name]=${name}`)).status).toBe(400);
    expect((await get(`${path}&include=nothing`)).body.errors[0].detail).toContain('include parameter');
  });

  test('trap 11: a state that its owner encrypted is kept as it is; outputs are those that the client sends', async () => {
    const { create, unlock, id, path } = await locked();
    const text = JSON.stringify({ serial: 1, lineage: 'l', encrypted_data: 'AAAA', encryption_version: 'v0' });
    const outputs = {
      url: { value: 'https://x', type: 'string' },
      key: { value: 'k', type: 'string', sensitive: true },
    };
    const attributes = { serial: 1, lineage: 'l', 'json-state-outputs': base64(JSON.stringify(outputs)) };
    const created = (await create(text, attributes)).body.data;
    const upload = created.attributes['hosted-state-upload-url'];
    expect((await atAddress(api, 'PUT', upload, text)).status).toBe(200);
    const shown = (await get(`/state-versions/${created.id}`)).body.data;
    expect(shown.attributes).toMatchObject({ status: 'finalized', encrypted: true, 'state-version': null });
    expect((await atAddress(api, 'GET', shown.attributes['hosted-state-download-url'])).text).toBe(text);
    const current = await get(`${path}/current-state-version-outputs`);
    expect(current.body.data.map((one: { attributes: object }) => one.attributes)).toEqual([
      { name: 'key', sensitive: true, type: 'string', 'detailed-type': 'string', value: null },
      { name: 'url', sensitive: false, type: 'string', 'detailed-type': 'string', value: 'https://x' },
    ]);
    expect((await unlock()).status).toBe(200);
    expect((await get(`/workspaces/${id}`)).body.data.attributes['resource-count']).toBe(0);
    const bytes = `not even JSON ${'\u00e4'}`;
    await acme.owner.call('POST', `${path}/actions/lock`);
    expect((await create(bytes, { serial: 2, state: base64(bytes) })).status).toBe(201);
  });

  test('issue 6: a state comes of a run of its workspace that the caller may see', async () => {
    const { id, create } = await locked();
    const runs = runsOf(api, acme);
    const other = await runs.run(await runs.workspace(`other-${names}`));
    await runs.uploaded(id);
    const own = await runs.run(id);
    const from = (run: string) =>
      acme.owner.call('POST', `/workspaces/${id}/state-versions`, {
        ...versionBody(stateText(1), { serial: 1 }, { run: { data: { type: 'runs', id: run } } }),
      });
    const elsewhere = await from(other);
    expect([elsewhere.status, elsewhere.body.errors[0].source]).toEqual([422, { pointer: '/data/relationships/run' }]);
    expect((await from('run-1111111111111111')).status).toBe(404);
    expect((await create(stateText(1), { serial: 1 })).status).toBe(201);
    const created = await from(own);
    expect([created.status, created.body.data?.relationships.run.data?.id]).toEqual([201, own]);

    const globex = await newOrganization(api);
    const foreign = runsOf(api, globex);
    expect((await from(await foreign.run(await foreign.workspace('theirs')))).status).toBe(404);
  });

  test('equal states share their blob, and nothing of their content is stored in clear text', async () => {
    const { id, write } = await locked();
    const text = stateText(1, { outputs: { password: { value: 'hunter2-hunter2', type: 'string' } } });
    const { database } = api.workspaces;
    for (let i = 0; i < 3; i++) await write(text, { serial: 1 });
    const rows = await database.dynamic<Record<string, unknown>>({
      sql: `SELECT * FROM blob b JOIN state_content c ON c.blob_name = b.name WHERE b.workspace_id = '${id}'`,
      parameters: [],
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ uses: 3, size: text.length });
    const bytes = Object.values(rows[0] ?? {}).map((value) =>
      Buffer.from(value instanceof Uint8Array ? value : String(value)).toString('latin1'),
    );
    expect(bytes.join()).not.toMatch(/hunter2|aws_instance/);
  });

  test('include brings the creator and the outputs', async () => {
    const { path, write } = await locked();
    const created = await write(stateText(1, { outputs: { a: { value: 's', type: 'string', sensitive: true } } }), {
      serial: 1,
    });
    const shown = await get(`${path}/current-state-version?include=created_by,outputs,run.created-by`);
    const included = shown.body.included.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`);
    const output = created.relationships.outputs.data[0];
    expect(included.toSorted()).toEqual([`state-version-outputs ${output.id}`, `users ${acme.owner.id}`]);
  });

  test('spec §4.4 a workspace includes its current state, with URLs, for callers who may read it', async () => {
    const { id, write } = await locked();
    const state = await write(stateText(1), { serial: 1 });
    const listed = await get(`/organizations/${acme.name}/workspaces?page[size]=100&include=current-state-version`);
    expect(listed.body.included).toContainEqual(state);
    expect((await get(`/workspaces/${id}?include=current_state_version`)).body.included).toEqual([state]);

    const team = await acme.team('planners');
    const relationships = {
      team: { data: { type: 'teams', id: team } },
      workspace: { data: { type: 'workspaces', id } },
    };
    const attributes = { access: 'custom', 'state-versions': 'none' };
    const data = { type: 'team-workspaces', attributes, relationships };
    expect((await acme.owner.call('POST', '/team-workspaces', { data })).status).toBe(201);
    const planner = await newTeamMember(api, team, `planner-${kind}`);
    const shown = await planner.call('GET', `/workspaces/${id}?include=current-state-version`);
    expect([shown.status, shown.body.included ?? []]).toEqual([200, []]);
  });
});
