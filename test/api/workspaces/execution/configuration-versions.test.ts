import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { archive } from '../../../support/samples/archive.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';
import { runsOf, type TestRuns } from '../support/runs.ts';

describe.each(databaseKinds)('configuration versions on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let runs: TestRuns;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    runs = runsOf(api, acme);
  });
  afterAll(() => api.close());

  const newWorkspace = () => acme.workspace(`c-${++names}`);
  const show = async (id: string) => (await acme.owner.call('GET', `/configuration-versions/${id}`)).body.data;
  const act = (id: string, action: string, caller: Pick<typeof acme.owner, 'call'> = acme.owner) =>
    caller.call('POST', `/configuration-versions/${id}/actions/${action}`);
  const download = (id: string, caller: Pick<typeof acme.owner, 'call'> = acme.owner) =>
    caller.call('GET', `/configuration-versions/${id}/download`);

  test('§6.10 shows a configuration version as it was created; only its creator gets the upload URL', async () => {
    const workspace = await newWorkspace();
    const created = await acme.owner.call('POST', `/workspaces/${workspace}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { speculative: true } },
    });
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data.attributes).toMatchObject({
      'auto-queue-runs': true,
      error: null,
      'error-message': null,
      provisional: false,
      source: 'tfe-api',
      speculative: true,
      status: 'pending',
      'status-timestamps': {},
    });
    expect(data.attributes['upload-url']).toMatch(
      /^http:\/\/keeper\.example\.com:8443\/api\/v2\/configuration-uploads\//,
    );
    const shown = { ...data, attributes: { ...data.attributes, 'upload-url': null } };
    expect(await show(data.id)).toEqual(shown);
    const list = await acme.owner.call('GET', `/workspaces/${workspace}/configuration-versions`);
    expect(list.body.data).toEqual([shown]);
    const beyond = await acme.owner.call('GET', `/workspaces/${workspace}/configuration-versions?page[number]=999`);
    expect(beyond.body).toMatchObject({ data: [], meta: { pagination: { 'current-page': 999, 'total-count': 1 } } });
    expect((await acme.owner.call('GET', '/configuration-versions/nonexisting')).status).toBe(404);
    expect((await acme.owner.call('GET', `/configuration-versions/${data.id}/ingress-attributes`)).status).toBe(404);
    expect((await acme.owner.call('GET', `/configuration-versions/${data.id}?include=nonsense`)).status).toBe(400);
  });

  test('§6.10 the newest becomes the one of the workspace, unless it is provisional or speculative', async () => {
    const workspace = await newWorkspace();
    const current = async () => (await runs.place(workspace)).relationships['current-configuration-version'].data;
    expect(await current()).toBe(null);
    const { id } = await runs.configuration(workspace);
    expect((await current()).id).toBe(id);
    const { id: provisional, url } = await runs.configuration(workspace, { provisional: true });
    await runs.configuration(workspace, { speculative: true });
    expect((await current()).id).toBe(id);
    expect((await runs.put(url, 'archive')).statusCode).toBe(200);
    expect((await runs.create(workspace)).status).toBe(422);
    const run = await runs.run(workspace, {}, provisional);
    await runs.through(run, 'planning', 'planned');
    await runs.act(run, 'apply');
    await runs.through(run, 'applying', 'applied');
    expect((await current()).id).toBe(provisional);
    expect((await runs.create(workspace)).status).toBe(201);
  });

  test('§6.10 an archive is uploaded without a token, and comes back as it was', async () => {
    const workspace = await newWorkspace();
    const { id, url } = await runs.configuration(workspace);
    expect((await download(id)).status).toBe(404);
    const sent = archive({ 'main.tf': randomBytes(300_000).toString('hex') });
    expect((await runs.put(url, sent)).statusCode).toBe(200);
    const uploaded = await show(id);
    expect(uploaded.attributes).toMatchObject({ status: 'uploaded', size: sent.length });
    expect(Object.keys(uploaded.attributes['status-timestamps'])).toContain('finished-at');
    const back = await download(id);
    expect(back.headers['content-type']).toBe('application/octet-stream');
    expect(back.text).toBe(sent.toString());
  });

  test('§6.10 only a configuration without a run may be replaced', async () => {
    const workspace = await newWorkspace();
    const { id, url } = await runs.configuration(workspace);
    for (const content of ['one', 'two', 'two']) expect((await runs.put(url, content)).statusCode).toBe(200);
    expect((await download(id)).text).toBe(archive('two').toString());
    await runs.run(workspace, {}, id);
    expect((await runs.put(url, 'three')).statusCode).toBe(409);
    expect((await download(id)).text).toBe(archive('two').toString());
  });

  test('§6.10 a modified or expired URL accepts nothing', async () => {
    const workspace = await newWorkspace();
    const { id, url } = await runs.configuration(workspace);
    const other = await runs.configuration(workspace);
    const [holder = '', expires = '', signature = ''] = url.split('.').slice(-3);
    for (const changed of [
      `${url.slice(0, -10)}nonexisting`,
      `http://x/api/v2/configuration-uploads/lkl.${other.id}.${holder}.${expires}.${signature}`,
      `http://x/api/v2/configuration-uploads/lkl.${id}.${holder}1.${expires}.${signature}`,
      `http://x/api/v2/configuration-uploads/${id}`,
    ]) {
      expect((await runs.put(changed, 'archive')).statusCode).toBe(404);
    }
    api.advance(2 * 3_600_000);
    expect((await runs.put(url, 'archive')).statusCode).toBe(404);
    expect((await show(id)).attributes.status).toBe('pending');
    expect(url).toMatch(/\/lkl\.cv-[^/]+$/);
  });

  test('§6.10 an upload queues its run, where it was announced so', async () => {
    const workspace = await newWorkspace();
    const { id, url } = await runs.configuration(workspace, { 'auto-queue-runs': true });
    const list = async () => (await acme.owner.call('GET', `/workspaces/${workspace}/runs`)).body.data;
    expect(await list()).toEqual([]);
    await runs.put(url, 'archive');
    const [run] = await list();
    expect(run.attributes).toMatchObject({ source: 'tfe-configuration-version', 'plan-only': false });
    expect(run.relationships['configuration-version'].data.id).toBe(id);
    expect(run.relationships['created-by'].data.id).toBe(acme.owner.id);
    const speculative = await runs.configuration(workspace, { 'auto-queue-runs': null, speculative: true });
    await runs.put(speculative.url, 'other archive');
    const [plan] = await list();
    expect(plan.attributes).toMatchObject({ 'plan-only': true, status: 'plan_queued' });
  });

  test('§6.10 a run of a speculative configuration is a speculative plan', async () => {
    const workspace = await newWorkspace();
    const version = await runs.uploaded(workspace, { speculative: true });
    const run = await runs.create(workspace, { 'auto-apply': true }, version);
    expect(run.body.data.attributes).toMatchObject({ 'plan-only': true, 'auto-apply': false });
  });

  test('§6.10 a configuration that is neither current nor needed is archived, and its archive is deleted', async () => {
    const workspace = await newWorkspace();
    const { id: pending } = await runs.configuration(workspace);
    const old = await runs.uploaded(workspace);
    for (const [id, detail] of [
      [old, 'configuration could not be archived because it is current'],
      [pending, 'configuration is pending'],
    ] as const) {
      const refused = await act(id, 'archive');
      expect(refused.status).toBe(409);
      expect(refused.body.errors).toEqual([{ status: '409', title: 'transition not allowed', detail }]);
    }
    const run = await runs.run(workspace, {}, old);
    await runs.uploaded(workspace);
    expect((await act(old, 'archive')).status).toBe(409);
    await runs.act(run, 'cancel');
    expect((await act(old, 'archive')).status).toBe(202);
    expect((await show(old)).attributes.status).toBe('archived');
    expect((await download(old)).status).toBe(404);
    expect((await act(old, 'archive')).status).toBe(409);
    expect((await runs.create(workspace, {}, old)).status).toBe(422);
    expect((await act('nonexisting', 'archive')).status).toBe(404);
  });

  test('§1.13 backing data is put aside, brought back, and removed', async () => {
    const workspace = await newWorkspace();
    const [old, current] = [await runs.uploaded(workspace), await runs.uploaded(workspace)];
    expect((await act(current, 'soft_delete_backing_data')).status).toBe(400);
    expect((await act(old, 'permanently_delete_backing_data')).status).toBe(400);
    expect((await act(old, 'soft_delete_backing_data')).status).toBe(204);
    expect((await download(old)).status).toBe(404);
    expect((await act(old, 'restore_backing_data')).status).toBe(204);
    expect((await download(old)).text).toBe(archive(old).toString());
    await act(old, 'soft_delete_backing_data');
    expect((await act(old, 'permanently_delete_backing_data')).status).toBe(204);
    const restored = await act(old, 'restore_backing_data');
    expect(restored.status).toBe(400);
    expect(restored.body.errors[0].title).toBe('transition not allowed');
    expect((await download(old)).status).toBe(404);
  });

  test('§1.13 a policy deletes old archives and runs, and never current or active ones', async () => {
    const workspace = await newWorkspace();
    const versions: string[] = [];
    for (let i = 0; i < 4; i++) versions.push(await runs.uploaded(workspace));
    const [needed = '', ...old] = versions;
    const over = await runs.run(workspace);
    await runs.through(over, 'planning', 'errored');
    const current = await runs.run(workspace, {}, needed);
    const finished = await runs.run(workspace, { 'plan-only': true }, needed);
    await runs.through(finished, 'planning', 'errored');
    const of = (wanted: string) => {
      const store = api.workspaces.workspace.hooks.retained.find((one) => one.kind === wanted);
      return store ?? expect.fail(`nothing keeps ${wanted}`);
    };
    const older = { before: api.now() + 1, keepLatest: 0, limit: 100 };
    expect(await of('configuration-versions').deleteOlder(workspace, { ...older, keepLatest: 4 })).toBe(0);
    expect(await of('configuration-versions').deleteOlder(workspace, older)).toBe(2);
    const statuses = await Promise.all(versions.map(async (id) => (await download(id)).status));
    expect(statuses).toEqual([200, 404, 404, 200]);
    expect((await show(old[0] ?? '')).attributes.status).toBe('uploaded');
    expect(await of('runs').deleteOlder(workspace, { ...older, before: 0 })).toBe(0);
    expect(await of('runs').deleteOlder(workspace, older)).toBe(2);
    for (const gone of [over, finished]) expect((await acme.owner.call('GET', `/runs/${gone}`)).status).toBe(404);
    expect(await runs.statusOf(current)).toBe('plan_queued');
  });

  test('§5.5 strangers and readers upload nothing; the token of the organization neither', async () => {
    const workspace = await newWorkspace();
    const id = await runs.uploaded(workspace);
    const body = { data: { type: 'configuration-versions', attributes: {} } };
    const path = `/workspaces/${workspace}/configuration-versions`;
    const stranger = await api.user(`stranger-${++names}`);
    const reader = await acme.machine(`reader-${names}`, { 'read-workspaces': true });
    const issued = await acme.owner.call('POST', `/organizations/${acme.name}/authentication-token`);
    const organization = api.holder(issued.body.data.attributes.token);
    for (const caller of [stranger, reader, organization]) {
      expect((await caller.call('POST', path, body)).status).toBe(404);
      expect((await act(id, 'archive', caller)).status).toBe(404);
    }
    for (const caller of [reader, organization]) {
      expect((await download(id, caller)).status).toBe(200);
    }
    expect((await download(id, stranger)).status).toBe(404);
    expect((await act(id, 'soft_delete_backing_data', reader)).status).toBe(404);
  });

  test('§1.0 a body that is none makes nothing', async () => {
    const workspace = await newWorkspace();
    const path = `/workspaces/${workspace}/configuration-versions`;
    for (const attributes of [{ speculative: 'yes' }, { 'auto-queue-runs': 1 }]) {
      const answer = await acme.owner.call('POST', path, { data: { attributes } });
      expect(answer.status).toBe(422);
    }
    expect((await acme.owner.call('GET', path)).body.data).toEqual([]);
  });
});
