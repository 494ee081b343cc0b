import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAST_PATCHES } from '../../../src/workspaces/workspace/engine/catalogue.ts';
import { databaseKinds } from '../../support/databases.ts';
import { startApi, type TestApi, type UserCaller } from './support/api.ts';
import { newOrganization } from './support/organization.ts';

const TERRAFORM = '/admin/terraform-versions';

describe.each(databaseKinds)('versions of tools on %s', (kind) => {
  let api: TestApi;
  let admin: UserCaller;
  beforeAll(async () => {
    api = await startApi(kind);
    admin = await api.user('admin');
    await api.workspaces.tenancy.users.setSiteAdmin('admin', true);
  });
  afterAll(() => api.close());

  const versionsAt = async (path: string): Promise<string[]> => {
    const { status, body } = await admin.call('GET', path);
    expect(status).toBe(200);
    return body.data.map(({ attributes }: { attributes: { version: string } }) => attributes.version);
  };

  test('are the releases of Terraform that constraints are resolved against, the newest first', async () => {
    const { body } = await admin.call('GET', `${TERRAFORM}?page[size]=1`);
    const [[minor = '', patch = 0] = []] = Object.entries(LAST_PATCHES.terraform).slice(-1);
    const version = `${minor}.${patch}`;
    expect(body.data).toEqual([
      {
        id: `tool-${version}`,
        type: 'terraform-versions',
        attributes: {
          ...{ version, url: null, sha: null, archs: [], usage: null, 'created-at': null },
          ...{ deprecated: false, 'deprecated-reason': null, official: true, enabled: true, beta: false },
        },
        links: { self: `/api/v2/admin/terraform-versions/tool-${version}` },
      },
    ]);
    const known = Object.values(LAST_PATCHES.terraform).reduce((sum, last) => sum + last + 1, 0);
    expect(body.meta.pagination['total-count']).toBe(known);
    expect((await admin.call('GET', `${TERRAFORM}/tool-${version}`)).body.data).toEqual(body.data[0]);
    expect((await admin.call('GET', `${TERRAFORM}/tool-0.0.0`)).status).toBe(404);
  });

  test('are found by the version, or by a part of it', async () => {
    expect(await versionsAt(`${TERRAFORM}?filter[version]=1.5.7`)).toEqual(['1.5.7']);
    expect(await versionsAt(`${TERRAFORM}?filter[version]=1.5`)).toEqual([]);
    const last = LAST_PATCHES.terraform['0.15'] ?? 0;
    expect(await versionsAt(`${TERRAFORM}?search[version]=0.15.`)).toHaveLength(last + 1);
  });

  test.each(['opa-versions', 'sentinel-versions'])('lists of policy evaluation are empty: %s', async (type) => {
    expect(await versionsAt(`/admin/${type}`)).toEqual([]);
    expect((await admin.call('GET', `/admin/${type}/tool-1.0.0`)).status).toBe(404);
  });

  test('are changed only in the configuration of the server, as the error explains', async () => {
    for (const type of ['terraform-versions', 'opa-versions', 'sentinel-versions']) {
      const body = { data: { type, attributes: { version: '9.9.9', enabled: true } } };
      for (const [method, path] of [
        ['POST', `/admin/${type}`],
        ['PATCH', `/admin/${type}/tool-1.5.7`],
        ['DELETE', `/admin/${type}/tool-1.5.7`],
      ] as const) {
        const { status, headers, body: said } = await admin.call(method, path, method === 'DELETE' ? undefined : body);
        expect([method, type, status, headers.allow]).toEqual([method, type, 405, 'GET, HEAD']);
        expect(said.errors[0].detail).toContain('workspaces.engine_versions');
      }
    }
    expect(await versionsAt(`${TERRAFORM}?filter[version]=9.9.9`)).toEqual([]);
    expect(await versionsAt(`${TERRAFORM}?filter[version]=1.5.7`)).toEqual(['1.5.7']);
  });

  test('a subscription never expires, and has no limits', async () => {
    const { name, owner } = await newOrganization(api);
    const { status, body } = await owner.call('GET', `/organizations/${name}/subscription`);
    expect([status, body.data.type]).toEqual([200, 'subscriptions']);
    const { attributes, relationships } = body.data;
    expect(attributes).toMatchObject({ 'is-active': true, 'is-self-serve-trial': false, 'end-at': null });
    expect(relationships.organization.data).toEqual({ type: 'organizations', id: name });
    const { body: organization } = await owner.call('GET', `/organizations/${name}`);
    expect(attributes['start-at']).toBe(organization.data.attributes['created-at']);
    const bounds = Object.keys(attributes).filter((key) => /limit|ceiling/.test(key));
    expect(bounds.map((key) => attributes[key])).toEqual(bounds.map(() => null));
    expect((await (await api.user('nobody-there')).call('GET', `/organizations/${name}/subscription`)).status).toBe(
      404,
    );
  });
});
