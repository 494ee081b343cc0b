import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { Directory } from './directory.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe.each(databaseKinds)('people of a directory on %s', (kind) => {
  let directory: Directory;
  beforeAll(async () => {
    directory = await Directory.start(kind);
  });
  afterAll(() => directory.stop());

  const whoIs = async (token: string) =>
    (await directory.server.call('GET', '/api/v2/account/details', { token })).body?.data?.attributes?.username;

  it('are created, found, read back as written, and changed', async () => {
    const written = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
      ...{ externalId: '0-1', userName: 'Grace@Example.com', displayName: 'Grace Hopper', active: true },
      name: { givenName: 'Grace', familyName: 'Hopper' },
      emails: [{ primary: true, type: 'work', value: 'grace@example.com' }],
      [ENTERPRISE]: { department: 'navy' },
      password: 'never kept',
    };
    const made = await directory.call('POST', '/Users', written);
    expect(made.status, made.text).toBe(201);
    expect(made.headers['content-type']).toContain('application/scim+json');
    const { id, meta, ...shown } = made.body;
    const { password: _secret, ...kept } = written;
    expect(shown).toEqual(kept);
    expect(made.text).not.toContain('never kept');
    expect(meta).toMatchObject({ resourceType: 'User', location: `${directory.server.address}/scim/v2/Users/${id}` });
    expect(made.headers.location).toBe(meta.location);
    for (const filter of [
      'userName eq "grace@example.com"',
      'USERNAME Eq "GRACE@EXAMPLE.COM"',
      'externalId eq "0-1"',
      `id eq "${id}"`,
      'emails[type eq "work"].value eq "grace@example.com"',
      'emails.value eq "Grace@example.com" and active eq true',
    ]) {
      const { status, body } = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect([filter, status, body.totalResults, body.Resources?.[0]?.id]).toEqual([filter, 200, 1, id]);
    }
    const other = await directory.call('GET', '/Users?filter=userName%20eq%20%22nobody%22');
    expect(other.body).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 });
    const replaced = await directory.call('PUT', `/Users/${id}`, { ...written, displayName: 'Amazing Grace' });
    expect([replaced.status, replaced.body.displayName]).toEqual([200, 'Amazing Grace']);
    const some = await directory.call('GET', `/Users/${id}?attributes=userName,displayName`);
    expect(Object.keys(some.body).sort()).toEqual(['displayName', 'id', 'schemas', 'userName']);
    const not = await directory.call('GET', `/Users/${id}?excludedAttributes=emails`);
    expect([not.body.emails, not.body.userName]).toEqual([undefined, 'Grace@Example.com']);
  });

  it('join the organization that has invited their email address', async () => {
    await directory.admin('POST', '/organizations/acme/organization-memberships', 'organization-memberships', {
      email: 'invited@example.com',
    });
    const token = await directory.tokenOf(await directory.user('invited'));
    expect(await directory.teamsSeenBy(token)).toEqual([]);
  });

  // The forms in which Entra ID and Okta write.
  it.each([
    [
      'PATCH with a capital and a text',
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Replace', path: 'active', value: 'True' },
    ],
    ['PATCH without a path', { op: 'replace', value: { active: false } }, { op: 'replace', value: { active: true } }],
  ])('who are deactivated by %s lose access with the next request, and regain it', async (what, off, on) => {
    const id = await directory.user(`off-${what.length}`);
    const token = await directory.tokenOf(id);
    expect(await whoIs(token)).toBeDefined();
    const gone = await directory.patch(`/Users/${id}`, off);
    expect([gone.status, gone.body.active]).toEqual([200, false]);
    expect((await directory.server.call('GET', '/api/v2/account/details', { token })).status).toBe(401);
    expect((await directory.patch(`/Users/${id}`, on)).body.active).toBe(true);
    expect(await whoIs(token)).toBeDefined();
    const put = { userName: `off-${what.length}`, active: false };
    expect((await directory.call('PUT', `/Users/${id}`, put)).body.active).toBe(false);
    expect(await whoIs(token)).toBeUndefined();
  });

  it('lose access with the next request on another node', async () => {
    const id = await directory.user('of-node');
    const token = await directory.tokenOf(id);
    const { startTestServer } = await import('../../support/server.ts');
    const node = await startTestServer(kind, { beside: directory.server });
    try {
      const ask = () => node.call('GET', '/api/v2/account/details', { token });
      expect((await ask()).status).toBe(200);
      await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
      expect((await ask()).status).toBe(401);
    } finally {
      await node.stop();
    }
  });

  it('are changed part by part, in all dialects', async () => {
    const id = await directory.user('parts');
    const answer = await directory.patch(
      `/Users/${id}`,
      { op: 'Add', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Replace', path: 'displayName', value: 'Ada' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.org' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'parts@example.org' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'engines' },
      { op: 'Replace', value: { 'name.givenName': 'Ada', externalId: 'p-1', [ENTERPRISE]: { costCenter: '7' } } },
      {
        op: 'add',
        path: 'phoneNumbers',
        value: [
          { type: 'work', value: '1' },
          { type: 'mobile', value: '2' },
        ],
      },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"]' },
      { op: 'replace', path: 'nickName', value: 'A' },
      { op: 'remove', path: 'nickName' },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      ...{ displayName: 'Ada', externalId: 'p-1', name: { givenName: 'Ada', familyName: 'Lovelace' } },
      emails: [
        { primary: true, type: 'work', value: 'parts@example.org' },
        { type: 'home', value: 'home@example.org' },
      ],
      [ENTERPRISE]: { department: 'engines', costCenter: '7' },
      phoneNumbers: [{ type: 'work', value: '1' }],
    });
    expect(answer.body.nickName).toBeUndefined();
    expect((await directory.call('GET', `/Users/${id}`)).body).toEqual(answer.body);
    const { body } = await directory.admin('GET', '/admin/users?q=parts@example.org');
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it('who are deleted lose access and are not found; a user who is created again is the same person', async () => {
    const id = await directory.user('comes-again', { externalId: 'c-1' });
    const token = await directory.tokenOf(id);
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await whoIs(token)).toBeUndefined();
    for (const method of ['GET', 'DELETE']) expect((await directory.call(method, `/Users/${id}`)).status).toBe(404);
    expect((await directory.call('GET', '/Users?filter=externalId%20eq%20%22c-1%22')).body.totalResults).toBe(0);
    expect(await directory.user('Comes-Again')).toBe(id);
    expect(await whoIs(token)).toBe('comes-again');
  });

  it('with an existing account are linked by email address; site administrators are not', async () => {
    const made = await directory.admin('POST', '/admin/users', 'users', {
      username: 'here',
      email: 'here@example.com',
    });
    expect(await directory.user('here')).toBe(made.body.data.id);
    const first = (await directory.server.user('GET', '/api/v2/account/details')).body.data.attributes;
    const body = { userName: 'boss', emails: [{ value: first.email }] };
    const refused = await directory.call('POST', '/Users', body);
    expect([refused.status, refused.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it('a suspension by a site administrator is overridden only by a new change', async () => {
    const id = await directory.user('by-hand');
    const token = await directory.tokenOf(id);
    await directory.admin('POST', `/admin/users/${id}/actions/suspend`);
    await directory.call('PUT', `/Users/${id}`, { userName: 'by-hand', active: true });
    expect(await whoIs(token)).toBeUndefined();
  });

  it('come in pages', async () => {
    const { body } = await directory.call('GET', '/Users?startIndex=2&count=2');
    expect([body.Resources.length, body.startIndex, body.itemsPerPage]).toEqual([2, 2, 2]);
    expect((await directory.call('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: body.totalResults,
      Resources: [],
    });
  });

  it.each([
    ['no name', {}, 'invalidValue'],
    ['an empty one', { userName: ' ' }, 'invalidValue'],
    ['one with a NUL', { userName: 'a\0b' }, 'invalidValue'],
    ['a long one', { userName: 'x'.repeat(255) }, 'invalidValue'],
    ['a number for one', { userName: 7 }, 'invalidValue'],
    ['an id that is none', { userName: 'bad', externalId: [] }, 'invalidValue'],
    ['a flag that is none', { userName: 'bad', active: 'perhaps' }, 'invalidValue'],
    ['too much', { userName: 'bad', title: 'x'.repeat(33_000) }, 'tooMany'],
    ['a list', [], 'invalidSyntax'],
    ['nothing', undefined, 'invalidSyntax'],
  ])('with %s are refused, and nothing is made', async (_what, body, type) => {
    const before = (await directory.call('GET', '/Users?count=0')).body.totalResults;
    expect(before).toEqual(expect.any(Number));
    const answer = await directory.call('POST', '/Users', body);
    expect([answer.status, answer.body.scimType, answer.body.status]).toEqual([400, type, '400']);
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    expect((await directory.call('GET', '/Users?count=0')).body.totalResults).toBe(before);
  });

  it('of a name that is there are refused', async () => {
    await directory.user('twice');
    const answer = await directory.call('POST', '/Users', { userName: 'TWICE' });
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness']);
  });

  it.each([
    ['userName co "a"'],
    ['userName eq'],
    ['userName eq "a" or userName eq "b"'],
    ['(userName eq "a")'],
    ['password eq "a"'],
    [`${'('.repeat(400)}userName eq "a"`],
    [`userName eq "${'x'.repeat(1_000)}"`],
    ['userName eq "a\0"'],
    [Array(6).fill('id eq "a"').join(' and ')],
    ['constructor eq "a"'],
  ])('are not looked for by %s', async (filter) => {
    const answer = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidFilter']);
  });

  it.each([
    [{ op: 'move', path: 'displayName', value: 'x' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'constructor.prototype', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "a" or type eq "b"].value', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'x'.repeat(600), value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 7, value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue'],
    [{ op: 'add', path: 'emails', value: Array(101).fill({ value: 'x' }) }, 'tooMany'],
    ['nonsense', 'invalidSyntax'],
    [null, 'invalidSyntax'],
  ])('are not changed by %j', async (operation, type) => {
    const { body } = await directory.call('GET', '/Users?count=1');
    const [{ id, ...before }] = body.Resources;
    const answer = await directory.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'title', value: 'new' },
      operation as object,
    );
    expect([answer.status, answer.body.scimType]).toEqual([400, type]);
    expect((await directory.call('GET', `/Users/${id}`)).body).toEqual({ id, ...before });
  });

  it('are changed by a maximum number of operations at once', async () => {
    const id = await directory.user('many');
    const operations = Array(1_001).fill({ op: 'replace', path: 'title', value: 'x' });
    expect((await directory.patch(`/Users/${id}`, ...operations)).body.scimType).toBe('tooMany');
    expect((await directory.patch(`/Users/${id}`, ...operations.slice(1))).status).toBe(200);
  });

  it('the last site administrator stays active', async () => {
    const { tenancy } = directory.server.application.workspaces;
    const id = await directory.user('runs-it');
    await tenancy.users.setSiteAdmin('runs-it', true);
    await tenancy.users.setSiteAdmin('first', false);
    const refused = await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect([refused.status, refused.body.scimType]).toEqual([400, 'mutability']);
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(400);
    await tenancy.users.setSiteAdmin('first', true);
    expect((await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200);
  });
});
