import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

interface Effective {
  readonly id: string;
  readonly attributes: { readonly key: string; readonly value: string };
  readonly links?: object;
  readonly relationships?: object;
}

describe.each(databaseKinds)('facts §1.12: key-value tags of workspaces and their projects on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let red: string;
  let blue: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    red = await acme.project('Red project');
    blue = await acme.project('Blue project');
    await bind(`projects/${red}`, { env: 'prod', team: 'red' });
    await bind(`projects/${blue}`, { env: 'dev' });
  });
  afterAll(() => api.close());

  const entries = (pairs: Record<string, string>) => ({
    data: Object.entries(pairs).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
  });
  const bind = async (target: string, pairs: Record<string, string>) => {
    const answer = await acme.owner.call('PATCH', `/${target}/tag-bindings`, entries(pairs));
    expect(answer.status, answer.text).toBe(200);
  };
  const within = (id: string) => ({ project: { data: { type: 'projects', id } } });
  const move = (id: string, project: string) =>
    acme.owner.call('PATCH', `/workspaces/${id}`, { data: { type: 'workspaces', relationships: within(project) } });
  const shown = (items: readonly Effective[]) =>
    items.map(({ attributes: { key, value }, links }) => `${key}=${value}${links === undefined ? '' : ' ↑'}`);
  const effectiveOf = async (id: string) =>
    shown((await acme.owner.call('GET', `/workspaces/${id}/effective-tag-bindings`)).body.data);
  const list = (query: string): Promise<Answer> =>
    acme.owner.call('GET', `/organizations/${acme.name}/workspaces?${query}`);

  test('trap 7: inherited tags have links and relationships, own tags have neither; none has an ID (§2.5)', async () => {
    const id = await acme.workspace('origin', {}, within(red));
    await bind(`workspaces/${id}`, { a: '1', team: 'mine' });
    const { data } = (await acme.owner.call('GET', `/workspaces/${id}/effective-tag-bindings`)).body;
    expect(data).toEqual([
      { type: 'effective-tag-bindings', attributes: { key: 'a', value: '1' } },
      {
        type: 'effective-tag-bindings',
        attributes: { key: 'env', value: 'prod' },
        links: { 'inherited-from': `/api/v2/projects/${red}` },
        relationships: {
          'inherited-from': { data: { type: 'projects', id: red }, links: { related: `/api/v2/projects/${red}` } },
        },
      },
      { type: 'effective-tag-bindings', attributes: { key: 'team', value: 'mine' } },
    ]);
    const own = await acme.owner.call('GET', `/workspaces/${id}/tag-bindings`);
    expect(shown(own.body.data), 'those of the workspace alone').toEqual(['a=1', 'team=mine']);
  });

  test('include=effective_tag_bindings returns each once, for one workspace and for lists', async () => {
    const ids = [await acme.workspace('inc-1', {}, within(red)), await acme.workspace('inc-2', {}, within(red))];
    await bind(`workspaces/${ids[0]}`, { own: 'x' });
    const one = await acme.owner.call('GET', `/workspaces/${ids[0]}?include=effective_tag_bindings`);
    expect(shown(one.body.included)).toEqual(['env=prod ↑', 'own=x', 'team=red ↑']);
    const { data, links } = one.body.data.relationships['effective-tag-bindings'];
    expect(data.map(({ id }: Effective) => id)).toEqual(one.body.included.map(({ id }: Effective) => id));
    expect(links.related).toBe(`/api/v2/workspaces/${ids[0]}/effective-tag-bindings`);
    const many = await list('search[name]=inc-&include=effective_tag_bindings');
    expect(shown(many.body.included).sort()).toEqual(['env=prod ↑', 'own=x', 'team=red ↑']);
    expect(many.body.data[1].relationships['effective-tag-bindings'].data).toHaveLength(2);
  });

  test('moving to another project inherits from there', async () => {
    const id = await acme.workspace('mover', {}, within(red));
    expect(await effectiveOf(id)).toEqual(['env=prod ↑', 'team=red ↑']);
    await move(id, blue);
    expect(await effectiveOf(id)).toEqual(['env=dev ↑']);
    await move(id, acme.defaultProjectId);
    expect(await effectiveOf(id)).toEqual([]);
  });

  test('ten of its own and ten inherited: one limit does not count against the other', async () => {
    const full = await acme.project('Full project');
    const ten = (prefix: string) => Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${prefix}${i}`, 'v']));
    await bind(`projects/${full}`, ten('p'));
    const id = await acme.workspace('full', {}, within(full));
    await bind(`workspaces/${id}`, ten('w'));
    expect(await effectiveOf(id)).toHaveLength(20);
    const eleventh = await acme.owner.call('PATCH', `/workspaces/${id}/tag-bindings`, entries({ w10: 'v' }));
    expect(eleventh.body.errors[0].detail).toContain('cannot exceed 10 bindings per resource');
  });

  test('relationships/tag-bindings: POST adds, PATCH replaces, both without a body', async () => {
    const id = await acme.workspace('related');
    const path = `/workspaces/${id}/relationships/tag-bindings`;
    const added = await acme.owner.call('POST', path, entries({ a: '1', b: '2' }));
    expect([added.status, added.text]).toEqual([204, '']);
    await acme.owner.call('POST', path, entries({ b: '3', c: '4' }));
    expect(shown((await acme.owner.call('GET', path)).body.data)).toEqual(['a=1', 'b=3', 'c=4']);
    const replaced = await acme.owner.call('PATCH', path, entries({ c: '5' }));
    expect([replaced.status, replaced.text]).toEqual([204, '']);
    expect(shown((await acme.owner.call('GET', path)).body.data)).toEqual(['c=5']);
    expect((await acme.owner.call('PATCH', path, { data: [] })).status).toBe(204);
    expect((await acme.owner.call('GET', path)).body.data).toEqual([]);
    const reader = await acme.machine('binding-reader', { 'read-workspaces': true });
    expect((await reader.call('GET', path)).status).toBe(200);
    expect((await reader.call('POST', path, entries({ a: '1' }))).status).toBe(404);
    expect((await reader.call('PATCH', path, entries({}))).status).toBe(404);
  });

  test.each(['hc:x', 'hcp:x', 'ibm:x'])('the prefix of %s is reserved', async (key) => {
    const id = await acme.workspace(`prefix-${key.replace(/\W/g, '')}-${kind}`);
    const answer = await acme.owner.call('PATCH', `/workspaces/${id}/tag-bindings`, entries({ [key]: 'v' }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe('/data/0/attributes/key');
  });

  describe('trap 5: lists', () => {
    beforeAll(async () => {
      const prod = await acme.project('List prod');
      await bind(`projects/${prod}`, { stage: 'prod', 'only-project': 'x' });
      await acme.workspace('l-inherits', {}, within(prod));
      await acme.workspace('l-overrides', {}, { ...within(prod), 'tag-bindings': entries({ stage: 'test' }) });
      await acme.workspace('l-own', {}, { 'tag-bindings': entries({ stage: 'prod', other: '1' }) });
      await acme.workspace('l-flat', {}, { tags: { data: [{ type: 'tags', attributes: { name: 'stage' } }] } });
      await acme.workspace('l-none');
      const gone = await acme.workspace('l-gone', {}, { ...within(prod), 'tag-bindings': entries({ other: '1' }) });
      await acme.owner.call('DELETE', `/workspaces/${gone}`);
    });
    const tagged = (...pairs: [string, string?][]) =>
      pairs
        .map(([key, value], i) => {
          const valued = value === undefined ? '' : `&filter[tagged][${i}][value]=${value}`;
          return `filter[tagged][${i}][key]=${key}${valued}`;
        })
        .join('&');

    test.each<[string, string[]]>([
      [tagged(['stage']), ['l-inherits', 'l-overrides', 'l-own']],
      [tagged(['stage', '']), ['l-inherits', 'l-overrides', 'l-own']],
      [tagged(['stage', 'prod']), ['l-inherits', 'l-own']],
      [tagged(['stage', 'test']), ['l-overrides']],
      [tagged(['only-project', 'x']), ['l-inherits', 'l-overrides']],
      [tagged(['stage', 'prod'], ['only-project']), ['l-inherits']],
      [tagged(['stage', 'prod'], ['other', '1']), ['l-own']],
      [tagged(['other', '1']), ['l-own']],
      [tagged(['nobody']), []],
      ['search[tags]=stage', ['l-flat', 'l-inherits', 'l-overrides', 'l-own']],
      ['search[tags]=only-project', ['l-inherits', 'l-overrides']],
      ['search[tags]=stage,other', ['l-own']],
      [`search[tags]=stage&${tagged(['stage', 'prod'])}`, ['l-inherits', 'l-own']],
      ['search[exclude-tags]=stage&search[name]=l-', ['l-none']],
      ['search[exclude-tags]=only-project&search[name]=l-', ['l-flat', 'l-none', 'l-own']],
      [`${tagged(['stage'])}&sort=-name`, ['l-own', 'l-overrides', 'l-inherits']],
      [`${tagged(['stage'])}&sort=latest-change-at`, ['l-inherits', 'l-overrides', 'l-own']],
      [`${tagged(['stage'])}&search[name]=o`, ['l-overrides', 'l-own']],
    ])('%s', async (query, expected) => {
      const answer = await list(query);
      expect(namesOf(answer)).toEqual(expected);
      expect(answer.body.meta.pagination['total-count']).toBe(expected.length);
    });

    test('pages of inherited tags, and the part that a caller sees', async () => {
      const page = await list(`${tagged(['stage'])}&page[size]=2&page[number]=2`);
      expect(namesOf(page)).toEqual(['l-own']);
      expect(page.body.meta.pagination['total-count']).toBe(3);
      const team = await acme.team('sees-one');
      await acme.owner.call('POST', `/teams/${team}/machine-identities`, {
        data: { type: 'machine-identities', attributes: { mount: 'cert', role: `${acme.name}/sees-one` } },
      });
      const [item] = (await list('search[name]=l-inherits')).body.data;
      await acme.owner.call('POST', '/team-workspaces', {
        data: {
          type: 'team-workspaces',
          attributes: { access: 'read' },
          relationships: {
            workspace: { data: { type: 'workspaces', id: item.id } },
            team: { data: { type: 'teams', id: team } },
          },
        },
      });
      const machine = api.machine({ role: `${acme.name}/sees-one` });
      const seen = await machine.call('GET', `/organizations/${acme.name}/workspaces?${tagged(['stage'])}`);
      expect(namesOf(seen)).toEqual(['l-inherits']);
      expect(seen.body.meta.pagination['total-count']).toBe(1);
    });
  });
});
