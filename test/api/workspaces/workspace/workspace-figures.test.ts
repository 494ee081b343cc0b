import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as figures from '../../../../src/workspaces/workspace/model/figures.ts';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { namesOf, newOrganization, type TestOrganization } from '../support/organization.ts';

describe.each(databaseKinds)('fields of a workspace from its runs and states on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    for (const name of ['a', 'b', 'c', 'd']) ids[name] = await acme.workspace(name);
    const { database } = api.workspaces;
    const run = (name: string, status: string, createdAt: number) =>
      figures.setCurrentRun(database, ids[name] ?? '', { id: `run-${name}`, status, createdAt });
    await run('b', 'applied', 3000);
    await run('c', 'planning', 1000);
    await run('d', 'planning', 2000);
  });
  afterAll(() => api.close());

  const list = (query: string) => acme.owner.call('GET', `/organizations/${acme.name}/workspaces?${query}`);
  const show = async (name: string) => (await acme.owner.call('GET', `/workspaces/${ids[name]}`)).body.data;

  test('§4.3: sorted by the current run, those without one come last either way (trap 10)', async () => {
    expect(namesOf(await list('sort=current-run.created-at'))).toEqual(['c', 'd', 'b', 'a']);
    expect(namesOf(await list('sort=-current-run.created-at'))).toEqual(['b', 'd', 'c', 'a']);
    expect(namesOf(await list('sort=current-run.created-at&page[size]=2&page[number]=2'))).toEqual(['b', 'a']);
  });

  test('§4.3: filtered by the status of the current run, of which there can be several', async () => {
    const planning = await list('filter[current-run][status]=planning');
    expect(namesOf(planning)).toEqual(['c', 'd']);
    expect(planning.body.meta.pagination['total-count']).toBe(2);
    expect(namesOf(await list('filter[current-run][status]=planning,applied'))).toEqual(['b', 'c', 'd']);
    expect(namesOf(await list('filter[current-run][status]=errored'))).toEqual([]);
    expect(namesOf(await list('filter[current-run][status]=planning&search[name]=D'))).toEqual(['d']);
  });

  test('§2.2: current resources are linked, measurements are shown, and updated-at stays', async () => {
    const { database } = api.workspaces;
    const before = await show('b');
    api.advance(60_000);
    const id = ids.b ?? '';
    const state = { stateVersionId: 'sv-1', resourceCount: 3, changedAt: api.now() };
    await figures.setCurrentState(database, id, state);
    await figures.setCurrentConfigurationVersion(database, id, 'cv-1');
    await figures.setPerformance(database, id, { 'apply-duration-average': 1500, 'workspace-kpis-runs-count': 1 });
    await figures.setResourceCount(database, id, 'sv-0', 9);
    const { attributes, relationships } = await show('b');
    expect(attributes).toMatchObject({
      'resource-count': 3,
      'latest-change-at': new Date(api.now()).toISOString(),
      'updated-at': before.attributes['updated-at'],
      'apply-duration-average': 1500,
      'plan-duration-average': null,
      'workspace-kpis-runs-count': 1,
    });
    const run = { data: { type: 'runs', id: 'run-b' }, links: { related: '/api/v2/runs/run-b' } };
    expect(relationships).toMatchObject({
      'current-run': run,
      'latest-run': run,
      'current-configuration-version': { data: { type: 'configuration-versions', id: 'cv-1' } },
      'current-state-version': { data: { type: 'state-versions', id: 'sv-1' } },
    });
    const listed = await list('search[name]=b');
    expect(listed.body.data).toEqual([await show('b')]);
  });

  test('§4.5: safe deletion refuses a workspace with resources, and its message does not contain "lock" (trap 6)', async () => {
    const id = ids.b ?? '';
    await figures.setResourceCount(api.workspaces.database, id, 'sv-1', 2);
    const refused = await acme.owner.call('POST', `/workspaces/${id}/actions/safe-delete`);
    expect(refused.status).toBe(409);
    const [error] = refused.body.errors;
    expect(error).toMatchObject({ status: '409', title: 'conflict' });
    expect(error.detail).toContain('still managing resources');
    expect(error.detail).not.toContain('locked');
    expect(error.detail).not.toContain('being processed');
    await acme.owner.call('POST', `/workspaces/${id}/actions/lock`);
    const locked = await acme.owner.call('POST', `/workspaces/${id}/actions/safe-delete`);
    expect(locked.body.errors[0].detail).toContain('locked');
    expect((await acme.owner.call('DELETE', `/workspaces/${id}`)).status).toBe(204);
  });

  test('§4.4: include names are accepted with dashes and underscores, and an unknown one returns 400 (trap 4)', async () => {
    for (const word of ['current_run', 'current-run', 'current-state-version', 'current_run.plan', 'readme', 'vars']) {
      expect((await acme.owner.call('GET', `/workspaces/${ids.a}?include=${word}`)).status, word).toBe(200);
    }
    const unknown = await acme.owner.call('GET', `/workspaces/${ids.a}?include=organization,nonsense`);
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('include parameter');
    const twice = await list('include=organization,organization');
    expect(twice.body.included).toHaveLength(1);
  });
});
