import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi } from './support/api.ts';
import { issuesOf, namesOf, newOrganization } from './support/organization.ts';

const organizationBody = (attributes: object) => ({ data: { type: 'organizations', attributes } });
const projectBody = (attributes: object) => ({ data: { type: 'projects', attributes } });

describe.each(databaseKinds)('organizations, projects and users on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('a new organization is known by its name, and begins with its owners and a project', async () => {
    const ada = await api.user('ada');
    const founded = await ada.call(
      'POST',
      '/organizations',
      organizationBody({ name: 'Lock_Keepers-1', email: 'a@b.c' }),
    );
    expect(founded.status).toBe(201);
    const { data } = founded.body;
    expect(data).toMatchObject({ id: 'Lock_Keepers-1', type: 'organizations' });
    expect(data.attributes).toMatchObject({
      name: 'Lock_Keepers-1',
      email: 'a@b.c',
      'default-execution-mode': 'remote',
    });
    expect(data.attributes['external-id']).toMatch(/^org-/);
    expect(data.attributes.permissions['can-create-workspace']).toBe(true);
    expect((await ada.call('GET', '/organizations/Lock_Keepers-1')).body).toEqual(founded.body);

    const projects = await ada.call('GET', '/organizations/Lock_Keepers-1/projects');
    expect(namesOf(projects)).toEqual(['Default Project']);
    expect(projects.body.data[0].id).toBe(data.relationships['default-project'].data.id);
    const teams = await ada.call('GET', '/organizations/Lock_Keepers-1/teams');
    expect(teams.body.data.map(({ attributes }: never) => attributes)).toMatchObject([
      { name: 'owners', 'users-count': 1 },
    ]);
  });

  test('a name is taken once, whoever has it', async () => {
    const { name } = await newOrganization(api);
    const other = await api.user('other');
    const answer = await other.call('POST', '/organizations', organizationBody({ name, email: 'a@b.c' }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'Name has already been taken',
        source: { pointer: '/data/attributes/name' },
      },
    ]);
  });

  test.each([
    [{ name: 'with space', email: 'a@b.c' }, ['/data/attributes/name: Name has 1 to 90 letters, digits, - and _']],
    [{ name: 'x'.repeat(91), email: 'a@b.c' }, ['/data/attributes/name: name must not have more than 90 characters']],
    [{ name: 'ok', email: 'nobody' }, ['/data/attributes/email: Email is not an address']],
    [{ name: 'ok' }, ['/data/attributes/email: email is required']],
    [
      { name: 'ok', email: 'a@b.c', 'default-execution-mode': 'agent' },
      ['/data/attributes/default-execution-mode: default-execution-mode must be one of remote, local'],
    ],
  ])('%j is refused', async (attributes, issues) => {
    const user = await api.user(`founder-${Math.random().toString(36).slice(2)}`);
    const answer = await user.call('POST', '/organizations', organizationBody(attributes));
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual(issues);
  });

  test('everybody lists the organizations they are in, by name and page by page', async () => {
    const user = await api.user('lister');
    expect((await user.call('GET', '/organizations')).body.data).toEqual([]);
    for (const name of ['list-c', 'list-a', 'list-b']) {
      await user.call('POST', '/organizations', organizationBody({ name, email: 'a@b.c' }));
    }
    expect(namesOf(await user.call('GET', '/organizations'))).toEqual(['list-a', 'list-b', 'list-c']);
    const second = await user.call('GET', '/organizations?page[size]=2&page[number]=2');
    expect(namesOf(second)).toEqual(['list-c']);
    expect(second.body.meta.pagination['total-count']).toBe(3);
  });

  test('the entitlements say that nothing runs here', async () => {
    const { name, owner } = await newOrganization(api);
    const { body } = await owner.call('GET', `/organizations/${name}/entitlement-set`);
    expect(body.data.type).toBe('entitlement-sets');
    expect(body.data.attributes).toMatchObject({ operations: false, teams: true });
  });

  test('projects are made, found by name and shown', async () => {
    const { name, owner, defaultProjectId } = await newOrganization(api);
    const path = `/organizations/${name}/projects`;
    const made = await owner.call('POST', path, projectBody({ name: 'Core Network', description: 'routers' }));
    expect(made.status).toBe(201);
    expect(made.body.data.attributes).toMatchObject({
      name: 'Core Network',
      description: 'routers',
      'workspace-count': 0,
    });
    expect(made.body.data.relationships.organization.data).toEqual({ type: 'organizations', id: name });
    expect((await owner.call('GET', `/projects/${made.body.data.id}`)).body).toEqual(made.body);

    expect(namesOf(await owner.call('GET', path))).toEqual(['Core Network', 'Default Project']);
    const named = await owner.call('GET', `${path}?filter[names]=core%20network,none`);
    expect(named.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.data.id]);
    expect(named.body.data[0].id).not.toBe(defaultProjectId);
  });

  test.each(['ab', ' abc', 'abc ', 'a/b/c', 'x'.repeat(41), 'zürich'])(
    'a project is not called %j',
    async (projectName) => {
      const { name, owner } = await newOrganization(api);
      const answer = await owner.call('POST', `/organizations/${name}/projects`, projectBody({ name: projectName }));
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].source.pointer).toBe('/data/attributes/name');
    },
  );

  test('a project name is taken once in an organization', async () => {
    const { name, owner, project } = await newOrganization(api);
    await project('Twice');
    const answer = await owner.call('POST', `/organizations/${name}/projects`, projectBody({ name: 'Twice' }));
    expect(issuesOf(answer)).toEqual(['/data/attributes/name: Name has already been taken']);
  });

  test('users see themselves in full, and colleagues without their address', async () => {
    const { owner, machine } = await newOrganization(api);
    const account = await owner.call('GET', '/account/details');
    expect(account.body.data).toMatchObject({
      id: owner.id,
      type: 'users',
      attributes: { username: owner.username, email: `${owner.username}@example.com`, 'is-service-account': false },
    });
    const colleague = await machine('watcher');
    const seen = await colleague.call('GET', `/users/${owner.id}`);
    expect(seen.body.data.attributes.username).toBe(owner.username);
    expect(seen.text).not.toContain('@example.com');
  });

  test('a user name follows a rule and is taken once', async () => {
    const create = (username: string) => api.workspaces.users.create({ username, email: 'x@example.com' });
    await create('grace.hopper-1_');
    await expect(create('grace.hopper-1_')).rejects.toMatchObject({ kind: 'unprocessable' });
    for (const wrong of ['', '-x', 'a b', 'ü', 'a\0b', 'x'.repeat(61)]) {
      await expect(create(wrong), wrong).rejects.toMatchObject({ kind: 'unprocessable' });
    }
  });
});
