import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { type Answer, startApi, type TestApi } from '../support/api.ts';
import { created, newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';

const CLIENTS = 16;
const EACH = 6;

describe.each(databaseKinds)('many concurrent writers in one organization on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let projectId: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    projectId = await acme.project('shared');
  });
  afterAll(() => api.close());

  const ofOrganization = (rest: string) => acme.owner.call('GET', `/organizations/${acme.name}${rest}`);
  const total = async (query: string) =>
    (await ofOrganization(`/workspaces?page[size]=1${query}`)).body.meta.pagination['total-count'];
  const inProject = async (id: string) =>
    (await acme.owner.call('GET', `/projects/${id}`)).body.data.attributes['workspace-count'];
  const carriersOf = async (tag: string) =>
    (await ofOrganization(`/tags?q=${tag}`)).body.data[0]?.attributes['instance-count'];
  const post = (path: string, body: unknown = {}) => acme.owner.call('POST', path, body);

  function create(name: string): Promise<Answer> {
    const body = workspaceBody(
      { name },
      {
        project: { data: { type: 'projects', id: projectId } },
        tags: { data: ['common', 'other'].map((tag) => ({ type: 'tags', attributes: { name: tag } })) },
        'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: name } }] },
      },
    );
    return post(`/organizations/${acme.name}/workspaces`, body);
  }

  /** Each client creates workspaces in threes: one stays, one is deleted, and one moves to another project. */
  async function client(number: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let step = 0; step < EACH; step++) {
      const answer = await create(`w-${number}-${step}`);
      const id = created(answer);
      const path = `/workspaces/${id}`;
      const locked = await post(`${path}/actions/lock`);
      const unlocked = await post(`${path}/actions/unlock`);
      statuses.push(answer.status, locked.status, unlocked.status);
      if (step % 3 === 1) statuses.push((await acme.owner.call('DELETE', path)).status);
      if (step % 3 === 2) {
        const data = [{ type: 'workspaces', id }];
        const moved = post(`/projects/${acme.defaultProjectId}/relationships/workspaces`, { data });
        statuses.push((await moved).status);
      }
    }
    return statuses;
  }

  test('all requests succeed, and the counts are correct in the end', async () => {
    // The lists are cached in memory while everything changes.
    await total('&search[tags]=common');
    const statuses = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    expect([...new Set(statuses.flat())].sort()).toEqual([200, 201, 204]);

    const third = (CLIENTS * EACH) / 3;
    expect(await total('')).toBe(2 * third);
    expect(await total('&search[tags]=common')).toBe(2 * third);
    expect(await total('&filter[tagged][0][key]=env')).toBe(2 * third);
    expect(await inProject(projectId)).toBe(third);
    expect(await inProject(acme.defaultProjectId)).toBe(third);
    expect(await carriersOf('common')).toBe(2 * third);
  });

  test('a project is deleted, or a workspace is moved into it, and never both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await acme.project(`going-${round}`);
      const body = workspaceBody({ name: `late-${round}` }, { project: { data: { type: 'projects', id } } });
      const [made, gone] = await Promise.all([
        post(`/organizations/${acme.name}/workspaces`, body),
        acme.owner.call('DELETE', `/projects/${id}`),
      ]);
      expect([
        [201, 409],
        [422, 204],
        [404, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });

  test('a tag is created once for concurrent writers, and exists as long as a workspace has it', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, (_, number) => acme.workspace(`tagged-${number}`)));
    const data = [{ type: 'tags', attributes: { name: 'fleeting' } }];
    for (let round = 0; round < 3; round++) {
      const each = ids.map((id, number) =>
        acme.owner.call(number % 2 === round % 2 ? 'POST' : 'DELETE', `/workspaces/${id}/relationships/tags`, { data }),
      );
      expect(new Set((await Promise.all(each)).map(({ status }) => status))).toEqual(new Set([204]));
      expect(await carriersOf('fleeting')).toBe(4);
    }
  });
});
