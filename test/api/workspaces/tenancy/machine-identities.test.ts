import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { identify, newOrganization } from '../support/organization.ts';

const identityBody = (attributes: object) => ({ data: { type: 'machine-identities', attributes } });

describe.each(databaseKinds)('machine identities on %s', (kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi(kind);
  });
  afterAll(() => api.close());

  test('an identity names a mount, a role and a common name', async () => {
    const { owner, team } = await newOrganization(api);
    const teamId = await team('runners');
    const path = `/teams/${teamId}/machine-identities`;
    const attributes = { mount: 'team-a/cert/', role: 'build server', 'common-name': '*.example.com' };
    const made = await owner.call('POST', path, identityBody(attributes));
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      type: 'machine-identities',
      attributes: { ...attributes, mount: 'team-a/cert' },
      relationships: { team: { data: { type: 'teams', id: teamId } } },
    });
    expect((await owner.call('GET', `/machine-identities/${made.body.data.id}`)).body).toEqual(made.body);
    api.advance(1);
    const any = await owner.call('POST', path, identityBody({ mount: 'cert', role: 'any' }));
    expect(any.body.data.attributes['common-name']).toBeNull();
    const list = await owner.call('GET', `${path}?page[size]=1`);
    expect(list.body.data).toEqual([made.body.data]);
    expect(list.body.meta.pagination).toMatchObject({ 'total-count': 2, 'next-page': 2 });
  });

  test('the same identity is not made twice', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    await identify(owner, id, { mount: 'cert', role: 'build' });
    const again = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert/', role: 'build' }),
    );
    expect(again.status).toBe(422);
    expect(again.body.errors[0].detail).toContain('already');
  });

  test.each([
    [{ role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert' }, '/data/attributes/role'],
    [{ mount: '//', role: 'build' }, '/data/attributes/mount'],
    [{ mount: 'cert', role: '' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'a\nb' }, '/data/attributes/role'],
    [{ mount: 'cert', role: 'build', 'common-name': 'x'.repeat(256) }, '/data/attributes/common-name'],
    [{ mount: 'cert', role: 'build', 'common-name': 7 }, '/data/attributes/common-name'],
  ])('%j is refused', async (attributes, pointer) => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    const answer = await owner.call('POST', `/teams/${id}/machine-identities`, identityBody(attributes));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].source.pointer).toBe(pointer);
  });

  test('a team has a hundred identities and no more', async () => {
    const { owner, team } = await newOrganization(api);
    const id = await team('runners');
    for (let i = 0; i < 100; i++) await identify(owner, id, { mount: 'cert', role: `r${i}` });
    const answer = await owner.call(
      'POST',
      `/teams/${id}/machine-identities`,
      identityBody({ mount: 'cert', role: 'r100' }),
    );
    expect(answer.status).toBe(422);
  });
});
