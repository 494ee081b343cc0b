import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import type { Receiver } from '../../../support/receiver.ts';
import type { TestApi } from '../support/api.ts';
import { startNotifying } from '../support/notifications.ts';
import { issuesOf, joinOrganization, newOrganization, type TestOrganization } from '../support/organization.ts';
import { runTasksOf } from '../support/run-tasks.ts';
import type { TestRuns } from '../support/runs.ts';

describe.each(databaseKinds)('run tasks on %s (facts §6.14)', (kind) => {
  let api: TestApi;
  let receiver: Receiver;
  let acme: TestOrganization;
  let runs: TestRuns;
  beforeAll(async () => {
    ({ api, receiver, acme, runs } = await startNotifying(kind));
  });
  afterAll(async () => {
    await receiver.stop();
    await api.close();
  });

  const { newWorkspace, newPath, attributesFor, post, create, patch, attachWith } = runTasksOf(() => ({
    ...{ api, receiver, acme, runs },
  }));

  test('an enabled one is verified first, with a signed request in the form that services know', async () => {
    const path = newPath();
    const made = await create(path, { 'hmac-key': 'secret', description: 'Checks' });
    expect(made.attributes).toEqual({
      category: 'task',
      description: 'Checks',
      enabled: true,
      'global-configuration': { enabled: false, stages: [], 'enforcement-level': 'advisory' },
      'hmac-key': null,
      name: `task${path.replace('/', '-')}`,
      url: receiver.address + path,
    });
    expect(made.relationships.organization.data).toEqual({ type: 'organizations', id: acme.name });
    const [tried, ...others] = receiver.at(path);
    expect(others).toEqual([]);
    expect(tried?.body).toMatchObject({
      payload_version: 1,
      stage: 'test',
      access_token: 'test-token',
      organization_name: acme.name,
    });
    const signature = createHmac('sha512', 'secret')
      .update(tried?.bytes ?? '')
      .digest('hex');
    expect(tried?.headers['x-tfc-task-signature']).toBe(signature);
  });

  test('is verified again only when its URL, its key or its enabled flag changes', async () => {
    const [path, next] = [newPath(), newPath()];
    const { id } = await create(path, { enabled: false });
    expect(receiver.at(path)).toHaveLength(0);
    expect((await patch(id, { description: 'Other' })).status).toBe(200);
    expect(receiver.at(path)).toHaveLength(0);
    expect((await patch(id, { enabled: true })).body.data.attributes.enabled).toBe(true);
    expect(receiver.at(path)).toHaveLength(1);
    expect((await patch(id, { 'hmac-key': 'other' })).status).toBe(200);
    expect((await patch(id, { name: `renamed${path.replace('/', '-')}` })).status).toBe(200);
    expect(receiver.at(path)).toHaveLength(2);
    expect((await patch(id, { url: receiver.address + next, 'hmac-key': 'other' })).status).toBe(200);
    expect(receiver.at(next)).toHaveLength(1);
  });

  test('is not stored if its service refuses, or its address is forbidden', async () => {
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    const path = newPath();
    const refused = await post(attributesFor(path));
    receiver.answer = (_received, response) => void response.end('ok');
    expect(refused.status).toBe(422);
    expect(issuesOf(refused)).toEqual([
      '/data/attributes/url: Url did not accept the verification request: the receiver answered with status 500',
    ]);
    const closed = await post({ ...attributesFor(path), url: 'https://169.254.169.254/task' });
    expect([closed.status, issuesOf(closed)[0]]).toEqual([422, expect.stringContaining('does not connect')]);
    const { body } = await acme.owner.call('GET', `/organizations/${acme.name}/tasks?page[size]=100`);
    const urls = body.data.map(({ attributes }: { attributes: { url: string } }) => attributes.url);
    expect(urls).not.toContain(receiver.address + path);
  });

  test('names each invalid field', async () => {
    const path = newPath();
    const good = attributesFor(path, { enabled: false });
    const broken = async (more: object) => issuesOf(await post({ ...good, ...more }));
    expect(await broken({ name: '' })).toEqual(["/data/attributes/name: Name can't be blank"]);
    expect(await broken({ name: 'a b' })).toEqual([
      '/data/attributes/name: Name may contain only letters, digits, - and _',
    ]);
    expect(await broken({ url: 'ftp://example.com' })).toHaveLength(1);
    expect(await broken({ url: 'https://user:password@example.com' })).toHaveLength(1);
    expect(await broken({ category: 'other' })).toEqual(['/data/attributes/category: Category must be task']);
    expect(await broken({ 'global-configuration': { enabled: true, stages: [] } })).toHaveLength(1);
    expect(await broken({ 'global-configuration': { enabled: true, stages: ['now'] } })).toHaveLength(1);
    const pool = { relationships: { 'agent-pool': { data: { type: 'agent-pools', id: 'apool-none' } } } };
    const byPool = await post(good, acme.owner, pool);
    expect([byPool.status, issuesOf(byPool)[0]]).toEqual([
      422,
      expect.stringContaining('The provided agent pool does not exist'),
    ]);
    expect((await post(good)).status).toBe(201);
    expect(issuesOf(await post(good))).toEqual(['/data/attributes/name: Name has already been taken']);
  });

  test('an organization has at most ten tasks that evaluate all of its workspaces', async () => {
    const other = await newOrganization(api);
    const global = { enabled: true, stages: ['post_plan'], 'enforcement-level': 'advisory' };
    const make = (name: string, more = {}) =>
      other.owner.call('POST', `/organizations/${other.name}/tasks`, {
        data: {
          type: 'tasks',
          attributes: { name, category: 'task', url: 'https://example.com', enabled: false, ...more },
        },
      });
    for (let i = 0; i < 10; i++) {
      expect((await make(`global-${i}`, { 'global-configuration': global })).status).toBe(201);
    }
    expect((await make('one-more', { 'global-configuration': global })).status).toBe(422);
    const { id } = (await make('another')).body.data;
    expect((await patchBy(other, id, { 'global-configuration': global })).status).toBe(422);
    expect((await patchBy(other, id, { description: 'Not global' })).status).toBe(200);
  });

  const patchBy = ({ owner }: TestOrganization, id: string, attributes: object) =>
    owner.call('PATCH', `/tasks/${id}`, { data: { type: 'tasks', attributes } });

  test('a workspace has a task once, of its own organization, at stages that it names', async () => {
    const workspace = await newWorkspace();
    const { id } = await create(newPath(), { enabled: false });
    const attached = await attachWith(workspace, id, {});
    expect(attached.body.data).toMatchObject({
      attributes: { 'enforcement-level': 'advisory', stage: 'post_plan', stages: ['post_plan'] },
      relationships: { task: { data: { id } }, workspace: { data: { id: workspace } } },
    });
    expect(issuesOf(await attachWith(workspace, id, {}))).toEqual([
      '/data/relationships/task: The workspace already has this run task',
    ]);
    const foreign = await newOrganization(api);
    const { body } = await foreign.owner.call('POST', `/organizations/${foreign.name}/tasks`, {
      data: {
        type: 'tasks',
        attributes: { name: 'a', category: 'task', url: 'https://a.example.com', enabled: false },
      },
    });
    expect(issuesOf(await attachWith(workspace, body.data.id, {}))).toEqual([
      '/data/relationships/task: Run task not found',
    ]);
    const path = `/workspaces/${workspace}/tasks/${attached.body.data.id}`;
    const change = (attributes: object) =>
      acme.owner.call('PATCH', path, { data: { type: 'workspace-tasks', attributes } });
    expect((await change({ stage: 'pre_plan' })).body.data.attributes.stages).toEqual(['pre_plan']);
    expect((await change({ stages: [] })).status).toBe(422);
    expect((await change({ 'enforcement-level': 'always' })).status).toBe(422);
    const elsewhere = await newWorkspace();
    expect((await acme.owner.call('GET', path.replace(workspace, elsewhere))).status).toBe(404);
  });

  test('lists the workspaces that use it, to callers who see those', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    const { id } = await create(newPath(), { enabled: false });
    const made = [await attachWith(one, id, {}), await attachWith(two, id, {})].map(({ body }) => body.data.id);
    const { body } = await acme.owner.call('GET', `/tasks/${id}?include=workspace_tasks.workspace`);
    const pointers = body.data.relationships['workspace-tasks'].data;
    expect(pointers.map((one: { id: string }) => one.id)).toEqual(made);
    const included = body.included.map((one: { id: string }) => one.id).toSorted();
    expect(included).toEqual([...made, one, two].toSorted());
    expect((await acme.owner.call('GET', `/tasks/${id}?include=runs`)).status).toBe(400);
    const plain = (await acme.owner.call('GET', `/tasks/${id}`)).body.data.relationships;
    expect(plain['workspace-tasks']).toBeUndefined();
  });

  test('requires the permission to manage run tasks: of the organization, or of the one workspace', async () => {
    const workspace = await newWorkspace();
    const task = await create(newPath(), { enabled: false });
    const manager = await api.user(`manager-${acme.name}`);
    const member = await api.user(`member-${acme.name}`);
    const team = async (name: string, attributes: object) => {
      const body = { data: { type: 'teams', attributes: { name, ...attributes } } };
      return (await acme.owner.call('POST', `/organizations/${acme.name}/teams`, body)).body.data.id;
    };
    const managing = await team('managing', { 'organization-access': { 'manage-run-tasks': true } });
    const working = await team('working', {});
    await joinOrganization(acme, manager, [managing]);
    await joinOrganization(acme, member, [working]);
    const tasks = `/organizations/${acme.name}/tasks`;
    expect((await manager.call('GET', tasks)).status).toBe(200);
    const made = await post(attributesFor(newPath(), { enabled: false }), manager);
    expect(made.status).toBe(201);
    expect((await attachWith(workspace, task.id, {}, manager)).status).toBe(201);
    expect((await manager.call('GET', `/workspaces/${workspace}/tasks`)).body.data).toHaveLength(1);

    expect((await member.call('GET', tasks)).body.data, 'as if there were none').toEqual([]);
    for (const path of [`/tasks/${task.id}`, `/workspaces/${workspace}/tasks`]) {
      expect([path, (await member.call('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await post(attributesFor(newPath(), { enabled: false }), member)).status).toBe(404);
    const access = { access: 'custom', runs: 'read', 'run-tasks': true };
    const relationships = {
      team: { data: { type: 'teams', id: working } },
      workspace: { data: { type: 'workspaces', id: workspace } },
    };
    const granted = { data: { type: 'team-workspaces', attributes: access, relationships } };
    expect((await acme.owner.call('POST', '/team-workspaces', granted)).status).toBe(201);
    const other = await create(newPath(), { enabled: false });
    const attached = await attachWith(workspace, other.id, {}, member);
    expect(attached.status, attached.text).toBe(201);
    const path = `/workspaces/${workspace}/tasks/${attached.body.data.id}`;
    expect((await member.call('DELETE', path)).status).toBe(204);
    expect((await member.call('DELETE', path)).status).toBe(404);
    expect((await attachWith(await newWorkspace(), other.id, {}, member)).status).toBe(404);
  });
});
