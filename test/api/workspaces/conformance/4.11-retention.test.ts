import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { newOrganization, type TestOrganization } from '../support/organization.ts';

const policy = (days: number, more: object = {}) => ({
  data: {
    type: 'data-retention-policy-delete-olders',
    attributes: { 'delete-older-than-n-days': days, ...more },
  },
});
const KEEPS = { data: { type: 'data-retention-policy-dont-deletes' } };

describe.each(databaseKinds)('spec §4.11 data retention policy on %s', (kind) => {
  let api: TestApi;
  let acme: TestOrganization;
  let workspace: string;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  async function begin(): Promise<void> {
    acme = await newOrganization(api);
    workspace = `/workspaces/${await acme.workspace('kept')}`;
  }
  const organization = () => `/organizations/${acme.name}`;
  const call = (method: string, target: string, body?: object) =>
    acme.owner.call(method, `${target}/relationships/data-retention-policy`, body);
  const daysOf = async (target: string) =>
    (await call('GET', target)).body.data?.attributes['delete-older-than-n-days'];
  const described = async () => {
    const { attributes } = (await acme.owner.call('GET', workspace)).body.data;
    return [attributes['effective-state-version-retention-desc'], attributes['effective-run-data-retention-desc']];
  };

  test('GET returns the explicit policy, else the default of the organization; DELETE restores the default', async () => {
    await begin();
    expect((await call('GET', workspace)).status, 'neither').toBe(404);
    await call('POST', organization(), policy(90));
    expect(await daysOf(workspace)).toBe(90);
    await call('POST', workspace, policy(7));
    expect(await daysOf(workspace)).toBe(7);
    for (const which of ['the explicit one', 'none']) {
      expect((await call('DELETE', workspace)).status, which).toBe(204);
      expect(await daysOf(workspace), which).toBe(90);
    }
    expect(await daysOf(organization())).toBe(90);
  });

  test('POST creates (201), then updates (200): always one policy; of many at once, too', async () => {
    await begin();
    const created = await call('POST', workspace, policy(7));
    const updated = await call('POST', workspace, policy(8));
    expect([created.status, updated.status]).toEqual([201, 200]);
    expect(updated.body.data.id).toBe(created.body.data.id);
    await call('DELETE', workspace);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => call('POST', workspace, policy(i + 1))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('the document of the workspace describes the effective policy and its owner', async () => {
    await begin();
    expect(await described()).toEqual([null, null]);
    await call('POST', organization(), policy(90));
    expect(await described()).toEqual([
      "State versions older than 90 days are deleted (the organization's policy)",
      "Runs and their logs are kept (the organization's policy)",
    ]);
    const more = { 'state-versions-keep-latest-count': 5, 'run-data-and-logs-delete-after-n-days': 1 };
    await call('POST', workspace, policy(30, more));
    expect(await described()).toEqual([
      "State versions older than 30 days are deleted, except the newest 5 (the workspace's policy)",
      "Runs and their logs older than 1 day are deleted (the workspace's policy)",
    ]);
    const listed = await acme.owner.call('GET', `${organization()}/workspaces`);
    expect(listed.body.data).toEqual([(await acme.owner.call('GET', workspace)).body.data]);
    await call('POST', workspace, KEEPS);
    expect((await described())[0]).toBe("State versions are kept (the workspace's policy)");
    await call('DELETE', workspace);
    expect((await described())[0]).toContain('older than 90 days');
    await call('DELETE', organization());
    expect(await described()).toEqual([null, null]);
  });

  test('a workspace that is not there, foreign or deleted has no policy and gets none: 404', async () => {
    await begin();
    await acme.owner.call('DELETE', workspace);
    const foreign = `/workspaces/${await (await newOrganization(api)).workspace('foreign')}`;
    for (const target of [workspace, foreign, '/workspaces/ws-none', '/workspaces/kept']) {
      expect((await call('GET', target)).status, target).toBe(404);
      expect((await call('POST', target, policy(7))).status, target).toBe(404);
      expect((await call('DELETE', target)).status, target).toBe(404);
    }
  });
});
