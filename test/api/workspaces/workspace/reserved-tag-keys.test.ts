import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { issuesOf, namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('facts §1.12 and §6.3, reserved tag keys on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let names = 0;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
  });
  afterAll(() => api.close());

  const body = (attributes: object) => ({ data: { type: 'reserved-tag-keys', attributes } });
  const path = () => `/organizations/${acme.name}/reserved-tag-keys`;
  const create = (key: string, disabled?: boolean) =>
    acme.owner.call('POST', path(), body({ key, ...(disabled !== undefined && { 'disable-overrides': disabled }) }));
  const reserve = async (key: string, disabled: boolean) => (await create(key, disabled)).body.data.id as string;
  const bindings = (...pairs: [string, string][]) => ({
    data: pairs.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
  });
  const effective = (answer: Answer) =>
    answer.body.data.map(({ attributes: { key, value } }: never) => `${key}=${value}`);
  const effectiveOf = async (id: string) =>
    effective(await acme.owner.call('GET', `/workspaces/${id}/effective-tag-bindings`));

  test('a key is reserved, listed, changed and released, by either path', async () => {
    const created = await create('cost-center');
    expect(created.status).toBe(201);
    const { data } = created.body;
    const now = new Date(api.now()).toISOString();
    expect(data).toEqual({
      id: expect.stringMatching(/^rtk-/),
      type: 'reserved-tag-keys',
      attributes: { key: 'cost-center', 'disable-overrides': false, 'created-at': now, 'updated-at': now },
    });
    const list = await acme.owner.call('GET', path());
    expect(list.body.data).toEqual([data]);
    expect(list.body.meta.pagination).toMatchObject({ 'current-page': 1, 'total-count': 1 });
    api.advance(1000);
    const changed = await acme.owner.call('PATCH', `/reserved-tags/${data.id}`, body({ 'disable-overrides': true }));
    expect(changed.body.data.attributes).toMatchObject({
      key: 'cost-center',
      'disable-overrides': true,
      'created-at': now,
      'updated-at': new Date(api.now()).toISOString(),
    });
    const renamed = await acme.owner.call('PATCH', `/reserved-tag-keys/${data.id}`, body({ key: 'with space' }));
    expect(renamed.body.data.attributes).toMatchObject({ key: 'with space', 'disable-overrides': true });
    expect((await acme.owner.call('DELETE', `/reserved-tag-keys/${data.id}`)).status).toBe(204);
    expect((await acme.owner.call('DELETE', `/reserved-tags/${data.id}`)).status).toBe(404);
    expect((await acme.owner.call('GET', path())).body.data).toEqual([]);
  });

  test('a key is taken once, in words that official clients know', async () => {
    await create('taken');
    const twice = await create('taken');
    expect(twice.status).toBe(422);
    expect(twice.body.errors[0]).toMatchObject({ title: 'invalid attribute', detail: 'Key has already been taken' });
    const other = await reserve('other', false);
    const renamed = await acme.owner.call('PATCH', `/reserved-tag-keys/${other}`, body({ key: 'taken' }));
    expect(issuesOf(renamed)).toEqual(['/data/attributes/key: Key has already been taken']);
  });

  test.each(['! / nope', '', ' a', 'a ', 'ü', 'x'.repeat(129)])('%j is no key', async (key) => {
    const answer = await create(key);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ title: 'invalid attribute', detail: 'Key is invalid' });
  });

  test('only owners reserve keys; members see reserved keys; others see none', async () => {
    const id = await reserve('owned', false);
    const manager = await acme.machine('key-manager', { 'manage-workspaces': true });
    expect((await manager.call('GET', path())).status).toBe(200);
    expect((await manager.call('POST', path(), body({ key: 'mine' }))).status).toBe(404);
    expect((await manager.call('PATCH', `/reserved-tag-keys/${id}`, body({ key: 'mine' }))).status).toBe(404);
    expect((await manager.call('DELETE', `/reserved-tag-keys/${id}`)).status).toBe(404);
    const stranger = await newOrganization(api);
    expect((await stranger.owner.call('GET', path())).status).toBe(404);
    expect((await stranger.owner.call('DELETE', `/reserved-tag-keys/${id}`)).status).toBe(404);
  });

  test('with overrides disabled, workspaces use the values of their project', async () => {
    const key = `locked-${++names}`;
    const project = await acme.project(`Locked ${names}`);
    const place = { project: { data: { type: 'projects', id: project } } };
    const early = await acme.workspace(`early-${names}`, {}, { ...place, 'tag-bindings': bindings([key, 'own']) });
    await acme.owner.call('PATCH', `/projects/${project}/tag-bindings`, bindings([key, 'project']));
    expect(await effectiveOf(early), 'overrides are fine as long as nobody says otherwise').toEqual([`${key}=own`]);

    const id = await reserve(key, true);
    expect(await effectiveOf(early), 'what was overridden before').toEqual([`${key}=project`]);
    const writes: [string, string, object][] = [
      ['PATCH', `/workspaces/${early}/tag-bindings`, bindings(['free', '1'], [key, 'mine'])],
      ['POST', `/workspaces/${early}/relationships/tag-bindings`, bindings([key, 'mine'])],
      ['PATCH', `/workspaces/${early}/relationships/tag-bindings`, bindings([key, 'mine'])],
      [
        'PATCH',
        `/workspaces/${early}`,
        { data: { type: 'workspaces', relationships: { 'tag-bindings': bindings([key, 'x']) } } },
      ],
      [
        'POST',
        `/organizations/${acme.name}/workspaces`,
        {
          data: {
            type: 'workspaces',
            attributes: { name: `late-${names}` },
            relationships: { ...place, 'tag-bindings': bindings([key, 'x']) },
          },
        },
      ],
    ];
    for (const [method, address, sent] of writes) {
      const answer = await acme.owner.call(method, address, sent);
      expect(answer.status, `${method} ${address}`).toBe(422);
      expect(answer.body.errors[0].detail).toBe(`Key ${key} is inherited from the project and cannot be overridden`);
    }
    const free = await acme.workspace(`free-${names}`, {}, { 'tag-bindings': bindings([key, 'elsewhere']) });
    expect(await effectiveOf(free), 'a project that says nothing leaves the key alone').toEqual([`${key}=elsewhere`]);

    const list = async (value: string) =>
      namesOf(
        await acme.owner.call(
          'GET',
          `/organizations/${acme.name}/workspaces?filter[tagged][0][key]=${key}&filter[tagged][0][value]=${value}`,
        ),
      );
    expect(await list('own')).toEqual([]);
    expect(await list('project')).toEqual([`early-${names}`]);
    expect(await list('elsewhere')).toEqual([`free-${names}`]);
    expect(await list('')).toEqual([`early-${names}`, `free-${names}`]);

    await acme.owner.call('PATCH', `/reserved-tag-keys/${id}`, body({ 'disable-overrides': false }));
    expect(await effectiveOf(early)).toEqual([`${key}=own`]);
    expect(await list('own')).toEqual([`early-${names}`]);
    expect((await acme.owner.call('PATCH', `/workspaces/${early}/tag-bindings`, bindings([key, 'mine']))).status).toBe(
      200,
    );
  });
});
