import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Caller, startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { LEVELS, withAccess } from './support/members.ts';

const CHANGES = ['POST', 'PATCH', 'DELETE'] as const;

describe.each(databaseKinds)('spec §4.9 remote state consumers on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let ids: Record<string, string>;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    ids = {};
    for (const name of ['producer', 'a', 'b', 'c', 'd']) ids[name] = await acme.workspace(name);
  });
  afterAll(() => api.close());

  const path = () => `/workspaces/${ids.producer}/relationships/remote-state-consumers`;
  const bodyOf = (names: readonly string[]) => ({ data: names.map((n) => ({ type: 'workspaces', id: ids[n] ?? n })) });
  const change = (method: string, names: readonly string[], caller: Pick<Caller, 'call'> = acme.owner) =>
    caller.call(method, path(), bodyOf(names));
  const list = async (caller: Pick<Caller, 'call'> = acme.owner) => namesOf(await caller.call('GET', path()));
  const begin = (...names: string[]) => change('PATCH', names);
  const share = (value: boolean) =>
    acme.owner.call('PATCH', `/workspaces/${ids.producer}`, workspaceBody({ 'global-remote-state': value }));

  const STEPS: readonly [method: string, before: readonly string[], given: readonly string[], after: string[]][] = [
    ['POST', [], ['a'], ['a']],
    ['POST', ['a'], ['a', 'b'], ['a', 'b']],
    ['POST', ['a'], ['b', 'b'], ['a', 'b']],
    ['POST', ['a'], [], ['a']],
    ['DELETE', ['a', 'b'], ['a', 'c'], ['b']],
    ['DELETE', ['a'], ['a', 'a'], []],
    ['DELETE', ['a'], [], ['a']],
    ['PATCH', ['a', 'b'], ['b', 'c'], ['b', 'c']],
    ['PATCH', ['a', 'b'], [], []],
    ['PATCH', [], ['d', 'd'], ['d']],
  ];
  test.each(STEPS)('%s to %j of %j leaves %j: 204 without a body', async (method, before, given, after) => {
    await begin(...before);
    const answer = await change(method, given);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await list()).toEqual(after);
  });

  test.each([
    ['no data', {}],
    ['null', { data: null }],
    ['a single one', { data: { type: 'workspaces', id: 'ws-x' } }],
    ['another type', { data: [{ type: 'runs', id: 'run-x' }] }],
    ['no id', { data: [{ type: 'workspaces' }] }],
    ['a number for an id', { data: [{ type: 'workspaces', id: 7 }] }],
    ['more than a thousand', { data: Array(1001).fill({ type: 'workspaces', id: 'ws-x' }) }],
  ])('%s: 422 with a pointer, for every method, and nothing changes', async (_, body) => {
    await begin('a');
    for (const method of CHANGES) {
      const answer = await acme.owner.call(method, path(), body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0]).toMatchObject({
        status: '422',
        source: { pointer: expect.stringMatching('^/data') },
      });
    }
    expect(await list()).toEqual(['a']);
  });

  test('only workspaces can be meant: their type may be left out, which the specification does not forbid', async () => {
    await begin();
    const answer = await acme.owner.call('POST', path(), { data: [{ id: ids.a }] });
    expect([answer.status, await list()]).toEqual([204, ['a']]);
  });

  test('a deleted workspace, or one given by its name, is refused with all others of the request: 422', async () => {
    await begin('a');
    const gone = await acme.workspace('gone');
    await acme.owner.call('DELETE', `/workspaces/${gone}`);
    for (const wrong of [gone, 'producer', 'ws-none', '']) {
      for (const method of CHANGES) {
        const answer = await change(method, ['b', wrong]);
        expect([answer.status, answer.body.errors[0].source], wrong).toEqual([422, { pointer: '/data/1/id' }]);
      }
    }
    const named = await acme.owner.call('POST', path(), { data: [{ type: 'workspaces', id: 'b' }] });
    expect(named.status).toBe(422);
    expect(await list()).toEqual(['a']);
  });

  test('with global-remote-state every other workspace is listed, no change is possible, and the former selection returns later', async () => {
    await begin('a');
    await share(true);
    expect(await list()).toEqual(['a', 'b', 'c', 'd']);
    for (const method of CHANGES) expect((await change(method, ['b'])).status, method).toBe(422);
    await share(false);
    expect(await list()).toEqual(['a']);
  });

  test('permissions: reading requires any access, adding and removing an administrator, replacing all workspaces (else 404)', async () => {
    await begin('a');
    const id = ids.producer ?? '';
    for (const access of LEVELS) {
      const caller = await withAccess(api, acme, id, { access });
      expect(await list(caller), 'none that this token can read').toEqual([]);
      const expected = access === 'admin' ? [204, 404, 204] : [404, 404, 404];
      const statuses = [];
      for (const method of CHANGES) statuses.push((await change(method, [], caller)).status);
      expect(statuses, access).toEqual(expected);
    }
    const manager = await acme.machine('manager', { 'manage-workspaces': true });
    expect((await change('PATCH', ['a', 'b'], manager)).status).toBe(204);
    for (const caller of [await api.user('stranger'), (await newOrganization(api)).owner, await acme.machine('none')]) {
      expect((await caller.call('GET', path())).status).toBe(404);
      for (const method of CHANGES) expect((await change(method, ['a'], caller)).status).toBe(404);
    }
    expect(await list()).toEqual(['a', 'b']);
  });

  test('consumers must be readable by the token that adds them; others are treated as unknown, and stay hidden', async () => {
    await begin('a');
    const admin = await withAccess(api, acme, ids.producer ?? '', { access: 'admin' });
    const hidden = await change('POST', ['b'], admin);
    const unknown = await change('POST', ['ws-none'], admin);
    expect(hidden.status).toBe(422);
    expect(hidden.body).toEqual(unknown.body);
    expect((await change('DELETE', ['a'], admin)).status).toBe(422);
    await share(true);
    expect(await list(admin), 'global, and none of the others can be read').toEqual([]);
    await share(false);
    expect(await list()).toEqual(['a']);
  });

  test('of concurrent replacements exactly one is stored', async () => {
    const wanted = [['a', 'b'], ['c', 'd'], ['b', 'c'], []];
    await Promise.all(Array.from({ length: 20 }, (_, i) => begin(...(wanted[i % 4] ?? []))));
    expect(wanted).toContainEqual(await list());
  });
});
