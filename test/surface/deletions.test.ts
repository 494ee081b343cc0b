import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../support/databases.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { ENDINGS } from './support/endings.ts';
import { type Life, Things } from './support/things.ts';

/** Operations that end something: a DELETE is not the only one. */
const ENDS = /(^|[/-])(revoke|delete|destroy|purge)/;

describe.each(databaseKinds)('dependents of a deleted object stop working on every node, on %s', (kind) => {
  let server: TestServer;
  let beside: TestServer;

  beforeAll(async () => {
    server = await startTestServer(kind);
    beside = await startTestServer(kind, { beside: server });
    const maker = 'path "auth/token/create" { capabilities = ["update"] }';
    await server.root('PUT', '/v1/sys/policies/acl/maker', { policy: maker });
  });
  afterAll(async () => {
    await beside.stop();
    await server.stop();
  });

  const everywhere = async (what: Readonly<Record<string, Life>>) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(what).map(async ([name, life]) => [name, [await life(server), await life(beside)]] as const),
      ),
    );
  const all = (what: Readonly<Record<string, Life>>, works: boolean) =>
    Object.fromEntries(Object.keys(what).map((name) => [name, [works, works]]));

  it('lists each operation that revokes something', () => {
    const declared = server.application.access.operationGroups.flatMap(({ prefix: at, operations }) =>
      operations
        .filter(({ verb, path }) => verb === 'delete' || (verb === 'update' && ENDS.test(path)))
        .map(({ verb, path }) => `${verb} ${at}/${path}`),
    );
    expect(Object.keys(ENDINGS).toSorted()).toEqual(declared.toSorted());
  });

  it.each(Object.entries(ENDINGS))('%s', async (name, prepare) => {
    const { lives: living, stays = {}, at, body, token } = await prepare(new Things(server));
    expect(await everywhere(living)).toEqual(all(living, true));
    expect(await everywhere(stays)).toEqual(all(stays, true));
    const method = name.startsWith('delete') ? 'DELETE' : 'POST';
    const answer = await server.call(method, `/v1/${at}`, { token: token ?? server.rootToken, ...(body && { body }) });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await everywhere(living)).toEqual(all(living, false));
    expect(await everywhere(stays)).toEqual(all(stays, true));
  });
});
