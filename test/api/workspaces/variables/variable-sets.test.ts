import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, type Caller, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('facts §6.9, variable sets on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const body = (attributes: object, relationships?: object) => ({
    data: { type: 'varsets', attributes, ...(relationships && { relationships }) },
  });
  const post = (attributes: object = {}, relationships?: object, caller: Caller = acme.owner, at = acme.name) =>
    caller.call(
      'POST',
      `/organizations/${at}/varsets`,
      body({ name: `set-${++names}`, global: false, ...attributes }, relationships),
    );
  const newSet = async (attributes: object = {}, relationships?: object): Promise<string> => {
    const answer = await post(attributes, relationships);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data.id;
  };
  const show = (id: string) => acme.owner.call('GET', `/varsets/${id}`);
  const variable = (key: string, value = '', category = 'terraform') => ({
    data: { type: 'vars', attributes: { key, value, category } },
  });
  const addVariable = (id: string, ...given: Parameters<typeof variable>) =>
    acme.owner.call('POST', `/varsets/${id}/relationships/vars`, variable(...given));
  const ids = (type: string, ...given: string[]) => ({ data: given.map((id) => ({ type, id })) });
  const link = (method: string, id: string, type: string, ...given: string[]) =>
    acme.owner.call(method, `/varsets/${id}/relationships/${type}`, ids(type, ...given));
  const linkedTo = async (id: string, type: string) =>
    (await show(id)).body.data.relationships[type].data.map((one: { id: string }) => one.id).sort();
  const newWorkspace = (projectId?: string) =>
    acme.workspace(
      `w-${++names}`,
      {},
      projectId === undefined ? {} : { project: { data: { type: 'projects', id: projectId } } },
    );
  const newProject = () => acme.project(`project ${++names}`);
  const ofProject = (id: string) => ({ parent: { data: { type: 'projects', id } } });

  test('a set is created with defaults and is the same wherever it is shown', async () => {
    const created = await post({ name: 'plain', description: 'd' });
    const { data } = created.body;
    const organization = { data: { type: 'organizations', id: acme.name } };
    expect(data).toEqual({
      id: expect.stringMatching(/^varset-/),
      type: 'varsets',
      attributes: {
        name: 'plain',
        description: 'd',
        global: false,
        priority: false,
        'updated-at': new Date(api.now()).toISOString(),
        'var-count': 0,
        'workspace-count': 0,
        'project-count': 0,
        permissions: { 'can-update': true },
      },
      relationships: {
        organization,
        parent: organization,
        vars: { data: [] },
        workspaces: { data: [] },
        projects: { data: [] },
        stacks: { data: [] },
      },
      links: { self: `/api/v2/varsets/${data.id}` },
    });
    expect((await show(data.id)).body.data).toEqual(data);
    expect((await acme.owner.call('GET', `/organizations/${acme.name}/varsets?q=PLAIN`)).body.data).toEqual([data]);
  });

  test('lists are paged and searched by a part of the name', async () => {
    const other = await newOrganization(api);
    for (const name of ['one', 'two', 'twofold']) await post({ name }, undefined, other.owner, other.name);
    const list = (query: string) => other.owner.call('GET', `/organizations/${other.name}/varsets${query}`);
    expect(namesOf(await list(''))).toEqual(['one', 'two', 'twofold']);
    expect(namesOf(await list('?q=two'))).toEqual(['two', 'twofold']);
    const far = await list('?page[number]=999&page[size]=100');
    expect(far.body.data).toEqual([]);
    expect(far.body.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 3 });
  });

  test('a set is created with all of its parts at once, or not at all', async () => {
    const [workspace, project] = [await newWorkspace(), await newProject()];
    const relationships = {
      workspaces: ids('workspaces', workspace),
      projects: ids('projects', project),
      vars: { data: [variable('a', '1').data, variable('b', '2').data] },
    };
    const id = await newSet({}, relationships);
    const { attributes } = (await show(id)).body.data;
    expect(attributes).toMatchObject({ 'var-count': 2, 'workspace-count': 1, 'project-count': 1 });

    const twice = await post({ name: 'half' }, { vars: { data: [variable('a').data, variable('a').data] } });
    expect(issuesOf(twice)).toEqual(['/data/relationships/vars/data/1/attributes/key: Key has already been taken']);
    expect((await post({ name: 'half' }, { workspaces: ids('workspaces', 'ws-none') })).status).toBe(404);
    expect((await acme.owner.call('GET', `/organizations/${acme.name}/varsets?q=half`)).body.data).toEqual([]);
  });

  test('absent attributes stay, null restores the default, lists replace, variables are added', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    const id = await newSet({ description: 'd', priority: true }, { workspaces: ids('workspaces', one) });
    await addVariable(id, 'a');
    const patch = (attributes: object, relationships?: object, query = '') =>
      acme.owner.call('PATCH', `/varsets/${id}${query}`, body(attributes, relationships));
    const changed = await patch({ name: 'renamed' }, { vars: { data: [variable('b').data] } });
    expect(changed.body.data.attributes).toMatchObject({
      name: 'renamed',
      description: 'd',
      priority: true,
      'workspace-count': 1,
      'var-count': 2,
    });
    expect((await patch({ description: null, priority: null })).body.data.attributes).toMatchObject({
      description: '',
      priority: false,
    });
    // The request of an official client.
    const replaced = await patch({ global: false }, { workspaces: ids('workspaces', two) }, '?include=workspaces');
    expect(replaced.body.data.relationships.workspaces.data).toEqual([{ type: 'workspaces', id: two }]);
    const cleared = await acme.owner.call('PUT', `/varsets/${id}`, body({}, { workspaces: { data: [] } }));
    expect(cleared.body.data.relationships.workspaces.data).toEqual([]);
  });

  test('it is applied to workspaces and projects, and withdrawn', async () => {
    const id = await newSet();
    const workspaces = [await newWorkspace(), await newWorkspace()].sort();
    const projects = [await newProject(), await newProject()].sort();
    for (const [type, targets] of [['workspaces', workspaces] as const, ['projects', projects] as const]) {
      const [first = '', second = ''] = targets;
      expect((await link('POST', id, type, first)).status).toBe(204);
      expect((await link('POST', id, type, first, second)).status, 'again').toBe(204);
      expect(await linkedTo(id, type)).toEqual(targets);
      expect((await link('DELETE', id, type, first)).status).toBe(204);
      expect((await link('DELETE', id, type, first)).status, 'again').toBe(204);
      expect(await linkedTo(id, type)).toEqual([second]);
    }
    const other = await newOrganization(api);
    const foreign = await other.workspace('foreign');
    expect((await link('POST', id, 'workspaces', workspaces[0] ?? '', foreign)).status).toBe(404);
    expect(await linkedTo(id, 'workspaces'), 'nothing is half done').toEqual([workspaces[1]]);
  });

  test('a workspace that is deleted is not among those of a set', async () => {
    const workspace = await newWorkspace();
    const id = await newSet({}, { workspaces: ids('workspaces', workspace) });
    await acme.owner.call('DELETE', `/workspaces/${workspace}`);
    expect(await linkedTo(id, 'workspaces')).toEqual([]);
    expect((await link('POST', id, 'workspaces', workspace)).status).toBe(404);
  });

  test('include returns variables, projects and workspaces; an unknown word returns a 400 that clients understand', async () => {
    const project = await newProject();
    const workspace = await newWorkspace();
    const id = await newSet({}, { projects: ids('projects', project), workspaces: ids('workspaces', workspace) });
    const { id: variableId } = (await addVariable(id, 'a')).body.data;
    const { body: shown } = await acme.owner.call('GET', `/varsets/${id}?include=vars,projects,workspaces,stacks`);
    expect(shown.included.map((one: { id: string }) => one.id).sort()).toEqual([project, variableId, workspace].sort());
    const show = await acme.owner.call('GET', `/workspaces/${workspace}`);
    expect(shown.included).toContainEqual(show.body.data);
    const unknown = await acme.owner.call('GET', `/varsets/${id}?include=nonsense`);
    expect(unknown.status).toBe(400);
    expect(unknown.body.errors[0].detail).toContain('include parameter');
  });

  test('variables in a set: created, shown, paged, changed, removed', async () => {
    const id = await newSet();
    const created = await addVariable(id, 'k', 'v');
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data.relationships).toEqual({
      varset: { data: { type: 'varsets', id }, links: { related: `/api/v2/varsets/${id}` } },
    });
    const path = `/varsets/${id}/relationships/vars`;
    expect((await acme.owner.call('GET', `${path}/${data.id}`)).body.data).toEqual(data);
    expect((await acme.owner.call('GET', path)).body.data).toEqual([data]);
    const far = await acme.owner.call('GET', `${path}?page[number]=999&page[size]=100`);
    expect(far.body.data).toEqual([]);
    expect(far.body.meta.pagination['total-count']).toBe(1);

    expect((await addVariable(id, 'k')).status).toBe(422);
    const changes = { data: { type: 'vars', attributes: { sensitive: true } } };
    const changed = await acme.owner.call('PATCH', `${path}/${data.id}`, changes);
    expect(changed.body.data.attributes).toMatchObject({ key: 'k', value: null, sensitive: true });
    expect(changed.body.data.attributes['version-id']).not.toBe(data.attributes['version-id']);
    const other = await newSet();
    expect((await acme.owner.call('DELETE', `/varsets/${other}/relationships/vars/${data.id}`)).status).toBe(404);
    expect((await acme.owner.call('PATCH', `/vars/${data.id}`, changes)).status, 'of no workspace').toBe(404);
    expect((await acme.owner.call('DELETE', `${path}/${data.id}`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `${path}/${data.id}`)).status).toBe(404);
  });

  test('all-vars and varsets of a workspace: its own, its project’s and the global ones, each name once', async () => {
    const org = await newOrganization(api);
    const call = org.owner.call;
    const project = await org.project('Scoped');
    const workspace = await org.workspace('w', {}, { project: { data: { type: 'projects', id: project } } });
    const make = async (name: string, attributes: object, relationships: object, ...keys: string[]) => {
      const vars = { data: keys.map((key) => variable(key, name).data) };
      const made = await post({ name, ...attributes }, { ...relationships, vars }, org.owner, org.name);
      expect(made.status, made.text).toBe(201);
      return made.body.data.id as string;
    };
    await make('global', { global: true }, {}, 'g', 'gp', 'gw', 'all');
    const onProject = await make('project', {}, { projects: ids('projects', project) }, 'gp', 'all');
    await make('owned', {}, { ...ofProject(project), workspaces: ids('workspaces', workspace) }, 'owned', 'all');
    await make('elsewhere', {}, {}, 'never');
    await call('POST', `/workspaces/${workspace}/vars`, variable('gw', 'own'));
    await call('POST', `/workspaces/${workspace}/vars`, variable('all', 'own'));
    const effective = async () =>
      (await call('GET', `/workspaces/${workspace}/all-vars`)).body.data
        .map(({ attributes }: { attributes: Record<string, string> }) => `${attributes.key}=${attributes.value}`)
        .sort();
    expect(await effective()).toEqual(['all=own', 'g=global', 'gp=project', 'gw=own', 'owned=owned']);
    await call('PATCH', `/varsets/${onProject}`, body({ priority: true }));
    expect(await effective()).toEqual(['all=project', 'g=global', 'gp=project', 'gw=own', 'owned=owned']);

    for (const path of [`/workspaces/${workspace}/varsets`, `/workspaces/${workspace}/applicable-varsets`]) {
      expect(namesOf(await call('GET', path))).toEqual(['global', 'owned', 'project']);
      const far = await call('GET', `${path}?page[number]=999`);
      expect(far.body.meta.pagination['total-count']).toBe(3);
    }
    expect(namesOf(await call('GET', `/projects/${project}/varsets`))).toEqual(['global', 'owned', 'project']);

    // A variable set of a project cannot be applied in another project.
    const elsewhere = await org.project('Elsewhere');
    const moved = {
      data: { type: 'workspaces', relationships: { project: { data: { type: 'projects', id: elsewhere } } } },
    };
    expect((await call('PATCH', `/workspaces/${workspace}`, moved)).status).toBe(200);
    expect(await effective()).toEqual(['all=own', 'g=global', 'gp=global', 'gw=own']);
    expect(namesOf(await call('GET', `/workspaces/${workspace}/varsets`))).toEqual(['global']);
  });

  test('a set that a project owns: its parent, its limits', async () => {
    const [project, other] = [await newProject(), await newProject()];
    const id = await newSet({}, ofProject(project));
    expect((await show(id)).body.data.relationships.parent.data).toEqual({ type: 'projects', id: project });
    expect((await link('POST', id, 'workspaces', await newWorkspace(project))).status).toBe(204);
    expect((await link('POST', id, 'workspaces', await newWorkspace(other))).status).toBe(404);
    expect((await link('POST', id, 'projects', other)).status).toBe(404);
    expect(issuesOf(await post({ global: true }, ofProject(project)))[0]).toContain('/data/attributes/global: Global');
    expect((await post({}, ofProject('prj-none'))).status).toBe(404);
    const explicit = await post({}, { parent: { data: { type: 'organizations', id: acme.name } } });
    expect(explicit.body.data.relationships.parent.data.type).toBe('organizations');
  });

  test('global sets have no variable in common, in any order of changes', async () => {
    const org = await newOrganization(api);
    const made = async (attributes: object, ...keys: string[]) =>
      post(attributes, { vars: { data: keys.map((key) => variable(key).data) } }, org.owner, org.name);
    const first = (await made({ global: true }, 'a')).body.data.id;
    expect((await made({ global: true }, 'a')).status).toBe(422);
    const second = (await made({ global: true }, 'b')).body.data.id;
    const third = (await made({ global: false }, 'a')).body.data.id;
    const path = `/varsets/${second}/relationships/vars`;
    expect((await org.owner.call('POST', path, variable('a'))).status).toBe(422);
    expect((await org.owner.call('POST', path, variable('a', '', 'env'))).status).toBe(201);
    expect((await org.owner.call('PATCH', `/varsets/${third}`, body({ global: true }))).status).toBe(422);
    await org.owner.call('DELETE', `/varsets/${first}`);
    expect((await org.owner.call('PATCH', `/varsets/${third}`, body({ global: true }))).status).toBe(200);
  });

  test.each([
    [{ name: '' }, '/data/attributes/name'],
    [{ name: 'x'.repeat(91) }, '/data/attributes/name'],
    [{ name: undefined }, '/data/attributes/name'],
    [{ global: 'yes' }, '/data/attributes/global'],
    [{ description: 'x'.repeat(513) }, '/data/attributes/description'],
  ])('%j is refused', async (attributes, pointer) => {
    const answer = await post(attributes);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a name is unique in an organization', async () => {
    const id = await newSet({ name: 'taken' });
    const twice = await post({ name: 'taken' });
    expect(issuesOf(twice)).toEqual(['/data/attributes/name: Name has already been taken']);
    const other = await newSet();
    expect((await acme.owner.call('PATCH', `/varsets/${other}`, body({ name: 'taken' }))).status).toBe(422);
    expect((await acme.owner.call('PATCH', `/varsets/${id}`, body({ name: 'taken' }))).status).toBe(200);
  });

  test('a deleted set is gone with its variables', async () => {
    const workspace = await newWorkspace();
    const id = await newSet({}, { workspaces: ids('workspaces', workspace), vars: { data: [variable('gone').data] } });
    expect((await acme.owner.call('DELETE', `/varsets/${id}`)).status).toBe(204);
    expect((await show(id)).status).toBe(404);
    expect((await acme.owner.call('GET', `/workspaces/${workspace}/all-vars`)).body.data).toEqual([]);
  });

  test('§5: permissions to read and manage sets, of the organization and of projects', async () => {
    const project = await newProject();
    const [wide, owned] = [await newSet(), await newSet({}, ofProject(project))];
    const manager = await acme.machine('set-manager', { 'manage-workspaces': true });
    const reader = await acme.machine('set-reader', { 'read-workspaces': true });
    const nobody = await acme.machine('set-nobody');
    const statuses = async (caller: Caller, id: string): Promise<number[]> => {
      const patch = await caller.call('PATCH', `/varsets/${id}`, body({}));
      const answers: Answer[] = [
        await caller.call('GET', `/varsets/${id}`),
        patch,
        await caller.call('GET', `/varsets/${id}/relationships/vars`),
        await caller.call('POST', `/varsets/${id}/relationships/workspaces`, ids('workspaces')),
      ];
      return answers.map(({ status }) => status);
    };
    for (const id of [wide, owned]) {
      expect(await statuses(manager, id)).toEqual([200, 200, 200, 204]);
      expect(await statuses(reader, id)).toEqual([200, 404, 200, 404]);
      expect(await statuses(nobody, id)).toEqual([404, 404, 404, 404]);
    }
    expect((await post({}, undefined, reader)).status).toBe(404);
    expect((await post({}, undefined, nobody)).status).toBe(404);
    expect((await reader.call('GET', `/varsets/${wide}`)).body.data.attributes.permissions).toEqual({
      'can-update': false,
    });
    expect((await nobody.call('GET', `/organizations/${acme.name}/varsets`)).body.data).toEqual([]);

    // A team with access only to the project.
    const team = await acme.team('project-team');
    const machine = api.machine({ role: `${acme.name}/project-team` });
    await acme.owner.call('POST', `/teams/${team}/machine-identities`, {
      data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/project-team` } },
    });
    const grant = await acme.owner.call('POST', '/team-projects', {
      data: {
        type: 'team-projects',
        attributes: { access: 'read' },
        relationships: {
          project: { data: { type: 'projects', id: project } },
          team: { data: { type: 'teams', id: team } },
        },
      },
    });
    expect(grant.status, grant.text).toBe(201);
    expect(await statuses(machine, owned)).toEqual([200, 404, 200, 404]);
    expect(await statuses(machine, wide)).toEqual([404, 404, 404, 404]);
    const list = await machine.call('GET', `/organizations/${acme.name}/varsets`);
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([owned]);
    await acme.owner.call('PATCH', `/team-projects/${grant.body.data.id}`, {
      data: { type: 'team-projects', attributes: { access: 'admin' } },
    });
    expect(await statuses(machine, owned)).toEqual([200, 200, 200, 204]);
    expect((await post({}, ofProject(project), machine)).status).toBe(201);
    expect((await post({}, undefined, machine)).status).toBe(404);
  });
});
