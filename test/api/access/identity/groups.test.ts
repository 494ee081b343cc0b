import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds } from '../../../support/databases.ts';
import { identityOf, told } from '../../../support/identity.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

describe.each(databaseKinds)('groups, on %s', (kind) => {
  let server: TestServer;
  let beside: TestServer;
  let identity: ReturnType<typeof identityOf>;
  let numbers = 0;
  let name: string;
  let cert: string;

  const group = (body: object = {}) => identity.create('group', body);
  const change = (id: string, body: object) => identity.write(`group/id/${id}`, body);
  const data = async (id: string) => (await identity.read(`group/id/${id}`)).body.data;
  const entity = async (id: string) => (await identity.read(`entity/id/${id}`)).body.data;
  const alias = (body: object) => identity.write('group-alias', body);

  beforeAll(async () => {
    server = await startTestServer(kind);
    beside = await startTestServer(kind, { beside: server });
    identity = identityOf(server);
    cert = await identity.accessor('cert');
  });
  afterAll(async () => {
    await beside.stop();
    await server.stop();
  });
  beforeEach(() => {
    name = `group-${++numbers}`;
  });

  it('are made, shown, listed, changed and deleted, by id and by name', async () => {
    await group();
    const member = await identity.create('entity');
    const made = await identity.write('group', {
      name,
      metadata: { team: 'blue' },
      policies: ['b', 'A', 'a'],
      member_entity_ids: [member, member],
    });
    expect(made.body.data).toEqual({ id: expect.stringMatching(UUID), name });
    const { id } = made.body.data;
    const shown = {
      alias: {},
      creation_time: expect.stringMatching(TIME),
      id,
      last_update_time: expect.stringMatching(TIME),
      member_entity_ids: [member],
      member_group_ids: [],
      metadata: { team: 'blue' },
      modify_index: 1,
      name,
      namespace_id: 'root',
      parent_group_ids: [],
      policies: ['a', 'b'],
      type: 'internal',
    };
    expect(await data(id)).toEqual(shown);
    expect((await identity.read(`group/name/${name}`)).body.data).toEqual(shown);
    expect((await identity.write('lookup/group', { name })).body.data).toEqual(shown);
    expect((await identity.write('lookup/group', { id })).body.data).toEqual(shown);
    const info = { name, num_member_entities: 1, num_parent_groups: 0 };
    const byId = (await identity.list('group/id')).body.data;
    expect([byId.keys.includes(id), byId.key_info[id]]).toEqual([true, info]);
    const byName = (await identity.list('group/name')).body.data;
    expect([byName.keys.includes(name), byName.key_info[id]]).toEqual([true, info]);
    const page = await server.root('GET', `/v1/identity/group/id?list=true&limit=1&after=${byId.keys[0]}`);
    expect(page.body.data.keys).toEqual(byId.keys.slice(1, 2));

    expect((await identity.write('group', { name, metadata: {} })).status).toBe(204);
    expect((await identity.write('group', { id, policies: 'c' })).status).toBe(204);
    expect((await identity.write(`group/name/${name}`, { member_entity_ids: [] })).status).toBe(204);
    expect((await change(id, { name: `${name}/renamed` })).status).toBe(204);
    const renamed = { name: `${name}/renamed`, metadata: {}, policies: ['c'], member_entity_ids: [], modify_index: 5 };
    expect(await data(id)).toMatchObject(renamed);
    expect((await identity.read(`group/name/${name}`)).status).toBe(404);
    expect((await identity.remove(`group/name/${name}/renamed`)).status).toBe(204);
    expect((await identity.remove(`group/id/${id}`)).status).toBe(204);
    expect((await identity.read(`group/id/${id}`)).status).toBe(404);
    expect((await identity.write('lookup/group', { id })).status).toBe(204);
  });

  it('without a name get one', async () => {
    expect((await data(await group())).name).toMatch(/^group_[\da-f]{16}$/);
    const made = await identity.write(`group/name/${name}`, {});
    expect(made.body.data).toEqual({ id: expect.stringMatching(UUID), name });
  });

  it('list the direct and inherited groups of their members', async () => {
    const person = await identity.create('entity');
    const kube = await group({ member_entity_ids: [person] });
    const build = await group();
    const vault = await group({ member_group_ids: [kube] });
    const ops = await group({ member_group_ids: [build, kube], member_entity_ids: [person] });
    const eng = await group({ member_group_ids: [vault, ops] });
    const sorted = (ids: string[]) => ids.toSorted();
    const { direct_group_ids: direct, inherited_group_ids: inherited, group_ids: all } = await entity(person);
    expect(sorted(direct)).toEqual(sorted([kube, ops]));
    expect(sorted(inherited)).toEqual(sorted([vault, eng]));
    expect(sorted(all)).toEqual(sorted([kube, ops, vault, eng]));
    expect(sorted((await data(kube)).parent_group_ids)).toEqual(sorted([vault, ops]));
    expect(sorted((await data(ops)).member_group_ids)).toEqual(sorted([build, kube]));
    expect((await identity.list('group/id')).body.data.key_info[kube].num_parent_groups).toBe(2);

    await change(ops, { member_group_ids: [build] });
    expect((await data(kube)).parent_group_ids).toEqual([vault]);
    await identity.remove(`group/id/${vault}`);
    expect((await data(kube)).parent_group_ids).toEqual([]);
    expect((await data(eng)).member_group_ids).toEqual([ops]);
    await change(kube, { member_entity_ids: '' });
    expect(await entity(person)).toMatchObject({ direct_group_ids: [ops], inherited_group_ids: [eng] });
    await identity.remove(`entity/id/${person}`);
    expect((await data(ops)).member_entity_ids).toEqual([]);
  });

  it('are never within themselves', async () => {
    const [a, b, c] = [await group(), await group(), await group()];
    await change(a, { member_group_ids: [b] });
    await change(b, { member_group_ids: [c] });
    for (const [id, member, message] of [
      [a, a, `member group ID "${a}" is same as the ID of the group`],
      [b, a, `cyclic relationship detected for member group ID "${a}"`],
      [c, a, `cyclic relationship detected for member group ID "${a}"`],
    ] as const) {
      expect(told(await change(id, { name: 'not-this', member_group_ids: [member] }))).toEqual([400, message]);
    }
    expect((await data(c)).member_group_ids).toEqual([]);
    expect((await change(a, { member_group_ids: [b, c] })).status).toBe(204);
    await change(b, { member_group_ids: [] });
    await change(a, { member_group_ids: [] });
    expect((await change(c, { member_group_ids: [a, b] })).status).toBe(204);
  });

  it('do not contain themselves when two nodes write at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const [a, b, c] = [await group(), await group(), await group()];
      const put = (node: TestServer, id: string, member: string) =>
        node.root('POST', `/v1/identity/group/id/${id}`, { member_group_ids: [member] });
      const answers = await Promise.all([put(server, a, b), put(beside, b, c), put(server, c, a)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 204, 400]);
    }
    const answers = await Promise.all(
      [server, beside, server].map((node) => node.root('POST', '/v1/identity/group', { name })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 204, 204]);
  });

  it('are refused where they cannot be, and nothing of the write is kept', async () => {
    const [one, two] = [await group({ name }), await group({ name: `${name}-2`, type: 'internal' })];
    const external = await group({ type: 'external' });
    const person = await identity.create('entity');
    const ids = (count: number) => Array.from({ length: count }, (_, number) => `id-${number}`);
    for (const [path, body, message] of [
      ['', { id: 'nothing', name: 'new' }, 'invalid group ID'],
      ['/id/nothing', {}, 'invalid group ID'],
      [`/id/${one}`, { name: `${name}-2` }, 'group name is already in use'],
      [`/id/${one}`, { type: 'external' }, 'group type cannot be changed'],
      ['', { type: 'other' }, 'invalid group type "other"'],
      ['', { name: 'new', policies: ['ROOT'] }, 'policies cannot contain root'],
      ['', { name: 'new', policies: ids(101) }, 'at most 100 policies'],
      ['', { name: 'new', metadata: { k: 'x'.repeat(513) } }, 'at most 512'],
      ['', { name: 'new//', metadata: {} }, 'must have 1 to 256 characters'],
      ['', { name: 'new', member_entity_ids: [person, 'nobody'] }, 'invalid entity ID "nobody"'],
      ['', { name: 'new', member_group_ids: [one, 'nothing'] }, 'invalid member group ID "nothing"'],
      ['', { name: 'new', member_entity_ids: ids(5001) }, 'at most 5000'],
      ['', { name: 'new', member_group_ids: ids(1001) }, 'at most 1000'],
      ['', { name: 'new', type: 'external', member_entity_ids: [] }, "member entities can't be set manually"],
      [`/id/${external}`, { member_entity_ids: [person] }, "member entities can't be set manually"],
      [`/id/${external}`, { member_group_ids: [one] }, "member groups can't be set for external groups"],
    ] as const) {
      const [status, text] = told(await identity.write(`group${path}`, body));
      expect([path, body, status, text]).toEqual([path, body, 400, expect.stringContaining(message)]);
    }
    expect((await identity.read('group/name/new')).status).toBe(404);
    expect((await entity(person)).group_ids).toEqual([]);
    expect([(await data(one)).name, (await data(two)).name]).toEqual([name, `${name}-2`]);
  });

  it('lie in one another sixteen deep, and no deeper', async () => {
    const chain = [await group()];
    for (let depth = 1; depth <= 16; depth++) chain.unshift(await group({ member_group_ids: chain[0] }));
    const [top = '', second = ''] = chain;
    expect(told(await identity.write('group', { member_group_ids: [top] }))).toEqual([
      400,
      'groups can be nested at most 16 levels deep',
    ]);
    const below = await group({ member_group_ids: [await group()] });
    expect(told(await change(chain[15] ?? '', { member_group_ids: [chain[16], below] }))[0]).toBe(400);
    expect((await identity.write('group', { member_group_ids: [second] })).status).toBe(200);
  });

  it('of one entity, or of one group, are a hundred at most', async () => {
    const person = await identity.create('entity');
    const inner = await group();
    for (let count = 0; count < 100; count++) {
      await group({ member_entity_ids: [person], member_group_ids: [inner] });
    }
    expect(told(await identity.write('group', { name, member_entity_ids: [person] }))).toEqual([
      400,
      `the entity "${person}" is already in 100 groups`,
    ]);
    expect(told(await identity.write('group', { name, member_group_ids: [inner] }))).toEqual([
      400,
      `the group "${inner}" is already in 100 groups`,
    ]);
    expect((await identity.read(`group/name/${name}`)).status).toBe(404);
    const other = await identity.create('entity');
    await group({ member_entity_ids: [other] });
    expect(told(await identity.write('entity/merge', { to_entity_id: person, from_entity_ids: other }))[0]).toBe(400);
    expect((await identity.read(`entity/id/${other}`)).status).toBe(200);
  });

  it('have many members, and change a few of them', async () => {
    const people: string[] = [];
    for (let count = 0; count < 120; count++) people.push(await identity.create('entity'));
    const id = await group({ member_entity_ids: people });
    expect((await data(id)).member_entity_ids).toEqual(people.toSorted());
    await change(id, { member_entity_ids: people.slice(7, 110) });
    expect((await data(id)).member_entity_ids).toEqual(people.slice(7, 110).toSorted());
    expect((await identity.list('group/id')).body.data.key_info[id].num_member_entities).toBe(103);
  });

  describe('that are external', () => {
    it('have an alias, by which they are found', async () => {
      const id = await group({ type: 'external' });
      const made = await alias({ name, mount_accessor: cert, canonical_id: id });
      const aliasId = made.body.data.id;
      expect(made.body.data).toEqual({ id: expect.stringMatching(UUID), canonical_id: id });
      const shown = {
        id: aliasId,
        canonical_id: id,
        name,
        mount_accessor: cert,
        mount_path: 'auth/cert/',
        mount_type: 'cert',
      };
      expect((await data(id)).alias).toMatchObject(shown);
      expect((await identity.read(`group-alias/id/${aliasId}`)).body.data).toMatchObject({
        ...shown,
        namespace_id: 'root',
      });
      expect((await identity.list('group-alias/id')).body.data.key_info[aliasId]).toMatchObject({
        name,
        canonical_id: id,
      });
      expect((await identity.list('group/id')).body.data.key_info[id].alias).toMatchObject({ id: aliasId, name });
      for (const query of [{ alias_id: aliasId }, { alias_name: name, alias_mount_accessor: cert }]) {
        expect((await identity.write('lookup/group', query)).body.data.id).toBe(id);
      }
      expect((await identity.write('lookup/entity', { alias_name: name, alias_mount_accessor: cert })).status).toBe(
        204,
      );
      expect((await alias({ id: aliasId, name, mount_accessor: cert, canonical_id: id })).status).toBe(204);
      const renamed = await identity.write(`group-alias/id/${aliasId}`, { name: `${name}-2`, mount_accessor: cert });
      expect(renamed.body.data).toEqual({ id: aliasId, canonical_id: id });
      expect((await data(id)).alias.name).toBe(`${name}-2`);
      expect((await identity.remove(`group-alias/id/${aliasId}`)).status).toBe(204);
      expect((await data(id)).alias).toEqual({});
    });

    it('are made with an alias that names none, and lose it with themselves', async () => {
      const made = await alias({ name, mount_accessor: cert });
      const { id, canonical_id: groupId } = made.body.data;
      expect(await data(groupId)).toMatchObject({ type: 'external', alias: { id } });
      await identity.remove(`group/id/${groupId}`);
      expect((await identity.read(`group-alias/id/${id}`)).status).toBe(404);
      expect((await alias({ name, mount_accessor: cert })).status).toBe(200);
    });

    it('have one alias: another takes its place, and moves from group to group', async () => {
      const [one, two] = [await group({ type: 'external' }), await group({ type: 'external' })];
      const first = (await alias({ name, mount_accessor: cert, canonical_id: one })).body.data.id;
      const second = (await alias({ name: `${name}-2`, mount_accessor: cert, canonical_id: one })).body.data.id;
      expect((await identity.read(`group-alias/id/${first}`)).status).toBe(404);
      const body = { name: `${name}-2`, mount_accessor: cert, canonical_id: two };
      expect((await identity.write(`group-alias/id/${second}`, body)).body.data).toEqual({
        id: second,
        canonical_id: two,
      });
      expect([(await data(one)).alias, (await data(two)).alias.id]).toEqual([{}, second]);
    });

    it('have aliases that can be refused', async () => {
      const internal = await group();
      await alias({ name, mount_accessor: cert });
      const { id } = (await alias({ name: `${name}-2`, mount_accessor: cert })).body.data;
      for (const [path, body, message] of [
        ['', { mount_accessor: cert }, 'missing alias name'],
        ['', { name: 'x' }, 'missing mount_accessor'],
        ['', { name: 'x', mount_accessor: 'none' }, 'invalid mount accessor "none"'],
        ['', { name: 'x', mount_accessor: cert, canonical_id: 'nothing' }, "invalid group ID given in 'canonical_id'"],
        ['', { name: 'x', mount_accessor: cert, canonical_id: internal }, "alias can't be set on an internal group"],
        ['', { name, mount_accessor: cert }, 'combination of mount and group alias name is already in use'],
        [`/id/${id}`, { name, mount_accessor: cert }, 'combination of mount and group alias name is already in use'],
        ['/id/nothing', { name: 'x', mount_accessor: cert }, 'invalid group alias ID'],
      ] as const) {
        expect([path, body, told(await identity.write(`group-alias${path}`, body))]).toEqual([
          path,
          body,
          [400, message],
        ]);
      }
    });

    it('lose their alias with its mount, and stay', async () => {
      await server.root('POST', '/v1/sys/auth/brief', { type: 'cert' });
      const accessor = await identity.accessor('brief');
      const { id, canonical_id: groupId } = (await alias({ name, mount_accessor: accessor })).body.data;
      await server.root('DELETE', '/v1/sys/auth/brief');
      expect((await identity.read(`group-alias/id/${id}`)).status).toBe(404);
      expect((await data(groupId)).alias).toEqual({});
      expect((await alias({ name, mount_accessor: cert, canonical_id: groupId })).status).toBe(200);
    });
  });

  it.each([
    [{}, 'query parameter not supplied'],
    [{ id: 'a', name: 'b' }, 'query parameter conflict'],
    [{ alias_name: 'a' }, "both 'alias_name' and 'alias_mount_accessor'"],
    [{ alias_mount_accessor: 'a' }, "both 'alias_name' and 'alias_mount_accessor'"],
  ])('are not looked up by %j', async (body, message) => {
    for (const path of ['lookup/group', 'lookup/entity']) {
      expect(told(await identity.write(path, body))).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
