import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization, workspaceBody } from '../support/organization.ts';
import { runsOf } from '../support/runs.ts';

describe.each(databaseKinds)('spec §9 versioning on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let id: string;
  beforeAll(async () => {
    api = await startApi(kind);
    acme = await newOrganization(api);
    id = await runsOf(api, acme).workspace('versioned');
  });
  afterAll(() => api.close());

  test('the version is in the path: only below /api/v2 there are workspaces', async () => {
    const headers = { authorization: `Bearer ${acme.owner.token}`, host: 'keeper.example.com' };
    const at = async (prefix: string) =>
      (await api.app.inject({ method: 'GET', url: `${prefix}/workspaces/${id}`, headers })).statusCode;
    expect(await at('/api/v2')).toBe(200);
    for (const prefix of ['', '/api', '/api/v1', '/api/v3', '/v2', '/API/V2'])
      expect(await at(prefix), prefix).toBe(404);
  });

  const update = (attributes: object) => acme.owner.call('PATCH', `/workspaces/${id}`, workspaceBody(attributes));

  test('the deprecated attribute operations follows execution-mode, and the other way round', async () => {
    for (const [given, mode, operations] of [
      [{ operations: false }, 'local', false],
      [{ operations: true }, 'remote', true],
      [{ 'execution-mode': 'local' }, 'local', false],
      [{ 'execution-mode': 'remote' }, 'remote', true],
    ] as const) {
      const { body } = await update(given);
      expect(body.data.attributes, JSON.stringify(given)).toMatchObject({ 'execution-mode': mode, operations });
    }
    expect((await update({ operations: true, 'execution-mode': 'local' })).status).toBe(422);
  });

  test('the deprecated relationship latest-run is the current run: none, the same one, and included alike', async () => {
    const relationships = async () => (await acme.owner.call('GET', `/workspaces/${id}`)).body.data.relationships;
    expect((await relationships())['latest-run']).toEqual({ data: null });
    const run = await runsOf(api, acme).run(id);
    const both = await relationships();
    expect(both['latest-run']).toEqual(both['current-run']);
    expect(both['latest-run'].data).toEqual({ type: 'runs', id: run });
    for (const suffix of ['', '.plan', '.configuration_version']) {
      const included = async (word: string) =>
        (await acme.owner.call('GET', `/workspaces/${id}?include=${word}${suffix}`)).body.included;
      expect(await included('latest_run')).toEqual(await included('current_run'));
    }
  });

  test('assessments-enabled is known by this name; the former one, drift-detection, is passed over', async () => {
    const { body } = await update({ 'drift-detection': true });
    expect(body.data.attributes).toMatchObject({ 'assessments-enabled': false });
    expect(body.data.attributes).not.toHaveProperty('drift-detection');
  });
});
