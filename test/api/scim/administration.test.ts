import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { Directory } from './directory.ts';

describe.each(databaseKinds)('SCIM of a server on %s', (kind) => {
  let directory: Directory;
  beforeAll(async () => {
    directory = await Directory.start(kind);
  });
  afterAll(() => directory.stop());

  const settings = (attributes: object) =>
    directory.admin('PATCH', '/admin/scim-settings', 'scim-settings', attributes);

  it('is off until a site administrator turns it on, and can be paused', async () => {
    expect((await directory.admin('DELETE', '/admin/scim-settings')).status).toBe(204);
    const off = await directory.admin('GET', '/admin/scim-settings');
    expect([off.body.data.id, off.body.data.attributes]).toEqual([
      'scim',
      { enabled: false, paused: false, 'site-admin-group-scim-id': null, 'site-admin-group-display-name': null },
    ]);
    expect((await directory.call('GET', '/Users')).status).toBe(403);
    expect((await settings({ paused: true })).status).toBe(422);
    await settings({ enabled: true });
    expect((await directory.call('GET', '/Users')).status).toBe(200);
    await settings({ paused: true });
    const paused = await directory.call('GET', '/Users');
    expect([paused.status, paused.headers['retry-after']]).toEqual([503, '300']);
    await settings({ paused: false });
    expect((await directory.call('GET', '/Users')).status).toBe(200);
  });

  it('has tokens that are shown once, listed, revoked, and open nothing else', async () => {
    const made = await directory.admin('POST', '/admin/scim-tokens', 'authentication-tokens', {
      description: 'second',
    });
    const { id, attributes } = made.body.data;
    const year = Date.parse(attributes['expired-at']) - Date.parse(attributes['created-at']);
    expect([made.status, Math.round(year / 86_400_000)]).toEqual([201, 365]);
    const listed = await directory.admin('GET', '/admin/scim-tokens');
    expect(listed.body.data.map((one: { id: string }) => one.id)).toContain(id);
    expect(listed.text).not.toContain(attributes.token);
    expect((await directory.admin('GET', `/admin/scim-tokens/${id}`)).body.data.attributes.token).toBeNull();
    expect((await directory.call('GET', '/Users', undefined, attributes.token)).status).toBe(200);
    for (const path of [
      '/api/v2/account/details',
      '/api/v2/organizations',
      '/api/v2/admin/users',
      '/v1/auth/token/lookup-self',
    ]) {
      expect([path, (await directory.server.call('GET', path, { token: attributes.token })).status]).toEqual([
        path,
        path.startsWith('/v1') ? 403 : 401,
      ]);
    }
    expect((await directory.admin('DELETE', `/authentication-tokens/${id}`)).status).toBe(204);
    expect((await directory.call('GET', '/Users', undefined, attributes.token)).status).toBe(401);
    const wrong = { description: 'x', 'expired-at': '2020-01-01T00:00:00Z' };
    expect((await directory.admin('POST', '/admin/scim-tokens', 'authentication-tokens', wrong)).status).toBe(422);
  });

  it('is only for site administrators', async () => {
    const { userToken, rootToken } = directory.server;
    const nobody = await directory.tokenOf(await directory.user('nobody'));
    for (const token of ['', 'nonsense', userToken, rootToken, nobody, 'x'.repeat(9_000)]) {
      const { status, body } = await directory.call('GET', '/Users', undefined, token);
      expect([status, body.schemas]).toEqual([401, ['urn:ietf:params:scim:api:messages:2.0:Error']]);
      expect((await directory.call('POST', '/Users', { userName: 'x' }, token)).status).toBe(401);
    }
    for (const [method, path] of [
      ['GET', '/admin/scim-settings'],
      ['DELETE', '/admin/scim-settings'],
      ['GET', '/admin/scim-tokens'],
      ['GET', '/admin/scim-groups'],
      ['DELETE', '/admin/teams/team-x/scim-group-mapping'],
    ] as const) {
      expect((await directory.server.call(method, `/api/v2${path}`, { token: nobody })).status).toBe(404);
    }
  });

  it('returns its settings', async () => {
    const { body } = await directory.call('GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, etag: { supported: false } });
    const types = (await directory.call('GET', '/ResourceTypes')).body;
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['/Users', '/Groups']);
    expect((await directory.call('GET', '/ResourceTypes/User')).body.schema).toMatch(/core:2.0:User$/);
    const [schema] = (await directory.call('GET', '/Schemas')).body.Resources;
    expect((await directory.call('GET', `/Schemas/${schema.id}`)).body.name).toBe('User');
    for (const path of ['/Bulk', '/Me', '/Schemas/none']) {
      expect((await directory.call('GET', path)).status).toBe(404);
    }
  });

  it('links a team to one group', async () => {
    const [group, team] = [await directory.group('a-group'), await directory.team('a-team')];
    const path = (id: string) => `/admin/teams/${id}/scim-group-mapping`;
    const link = (id: string, to: string) =>
      directory.admin('POST', path(id), 'scim-group-mappings', { 'scim-group-id': to });
    const said = ({ status, body }: Awaited<ReturnType<typeof link>>) => [status, body?.errors?.[0]?.detail];
    expect((await link(team, group)).status).toBe(204);
    expect(said(await link(team, group))).toEqual([409, 'Team is already linked to a SCIM group']);
    expect((await link('team-none', group)).status).toBe(404);
    const other = await directory.team('b-team');
    expect((await link(other, 'scimg-none')).status).toBe(404);
    const pause = await directory.admin('PATCH', path(other), 'scim-group-mappings', { 'scim-sync-paused': true });
    expect(said(pause)).toEqual([409, 'Team is not linked to a SCIM group']);
    const teams = (await directory.server.user('GET', '/api/v2/organizations/acme/teams')).body.data;
    const owners = teams.find((one: { attributes: { name: string } }) => one.attributes.name === 'owners').id;
    expect(said(await link(owners, group))[1]).toContain('Owners team SCIM linking');
    const found = await directory.admin('GET', '/admin/scim-groups?q=A-GR');
    expect(found.body.data).toEqual([{ id: group, type: 'scim-groups', attributes: { name: 'a-group' } }]);
    expect((await directory.admin('DELETE', path(team))).status).toBe(204);
    expect((await directory.admin('DELETE', path(team))).status).toBe(409);
  });

  it('is shown on teams only while it is on', async () => {
    const team = await directory.team('c-team');
    const turn = (enabled: boolean) => directory.admin('PATCH', '/admin/scim-settings', 'scim-settings', { enabled });
    const said = async (query = '') => {
      const { body } = await directory.server.user('GET', `/api/v2/teams/${team}${query}`);
      return Object.keys(body.data.attributes).filter((name) => name.startsWith('scim-'));
    };
    expect(await said()).toEqual(['scim-linked', 'scim-group-name', 'scim-sync-paused', 'scim-updated-at']);
    expect((await turn(false)).status).toBe(200);
    expect([await said(), await said('?include=users')]).toEqual([[], []]);
    expect((await turn(true)).status).toBe(200);
    expect(await said()).toHaveLength(4);
  });

  it('accepts only bodies of a limited size and of its own type', async () => {
    const large = await directory.call('POST', '/Users', { userName: 'x', title: 'x'.repeat(1_100_000) });
    expect(large.status).toBe(413);
    const deep = `{"userName":"x","a":${'['.repeat(40)}${']'.repeat(40)}}`;
    expect((await directory.call('POST', '/Users', deep)).status).toBe(400);
    expect((await directory.call('POST', '/Users', '{"userName":"x","__proto__":{}}')).status).toBe(400);
    expect((await directory.call('POST', '/Users', '{')).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    const other = await directory.server.call('POST', '/scim/v2/Users', { token: directory.token, body: 'x', headers });
    expect(other.status).toBe(415);
  });
});
