import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessSource,
  accessFolder,
  accessRules,
  accessSource,
  Connection,
  exportAccess,
  isDone,
  migrateAccess,
  reportLines,
} from '../../src/migration/index.ts';
import { databaseKinds } from '../support/databases.ts';
import { createRoot } from '../support/pki.ts';
import type { TestServer } from '../support/server.ts';
import { startTwoServers, type TwoServers } from './support/two-servers.ts';

const connect = ({ address, ca, rootToken: token }: TestServer) =>
  new Connection({ address, ca, token, wait: async () => {} });

/** Writes one of everything that a migration takes. */
async function fill(server: TestServer): Promise<void> {
  const write = async (path: string, body: object) => {
    const answer = await server.root('POST', `/v1/${path}`, body);
    expect([200, 204], `${path} ${answer.text}`).toContain(answer.status);
    return answer.body?.data;
  };
  await write('sys/policies/acl/web', { policy: 'path "auth/token/lookup-self" { capabilities = ["read"] }' });
  const config = { default_lease_ttl: '1h' };
  await write('sys/auth/machines', { type: 'cert', description: 'Ours', config });
  await write('sys/auth/ci', { type: 'jwt' });
  const role = { certificate: createRoot().pem, allowed_common_names: ['*.example.com'], token_policies: ['web'] };
  await write('auth/machines/certs/web', { ...role, token_ttl: '20m', display_name: 'Web' });
  await write('auth/machines/config', { disable_binding: true });
  await write('auth/ci/role/build', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['x'],
    token_policies: ['web'],
  });
  await write('auth/token/roles/short', { allowed_policies: ['web'], token_explicit_max_ttl: 60 });
  const { id } = await write('identity/entity', { name: 'web/1', policies: ['web'], metadata: { team: 'net' } });
  const mounts = (await server.root('GET', '/v1/sys/auth')).body.data;
  const accessor = mounts['machines/'].accessor;
  await write('identity/entity-alias', { name: 'web.example.com', canonical_id: id, mount_accessor: accessor });
  const inner = await write('identity/group', { name: 'inner', member_entity_ids: [id], policies: ['web'] });
  await write('identity/group', { name: 'outer', member_group_ids: [inner.id] });
  const external = await write('identity/group', { name: 'outside', type: 'external' });
  await write('identity/group-alias', { name: 'ops', canonical_id: external.id, mount_accessor: accessor });
}

describe.each(databaseKinds)('the configuration of the access API moves, on %s', { timeout: 60_000 }, (kind) => {
  let servers: TwoServers;
  beforeAll(async () => {
    servers = await startTwoServers(kind);
    await fill(servers.old);
  });
  afterAll(() => servers.stop());

  const source = (): Promise<AccessSource> => accessSource(connect(servers.old));
  const move = async (isApplied = true, from?: AccessSource) =>
    migrateAccess(from ?? (await source()), connect(servers.fresh), { isApplied, onProgress: () => {} });
  const read = async (path: string) => (await servers.fresh.root('GET', `/v1/${path}`)).body.data;

  it('is planned without writing anything', async () => {
    const lines = reportLines(await move(false), accessRules).join('\n');
    for (const line of [
      'policy web',
      'auth method machines/',
      'certificate role machines/: web',
      'JWT role ci/: build',
    ])
      expect(lines).toContain(`\n+ ${line}\n`);
    expect(Object.keys(await read('sys/auth'))).not.toContain('machines/');
  });

  it('is taken with all fields, and there is nothing to do after it', async () => {
    const { notTaken } = await move();
    expect(notTaken.map(({ about }) => about)).toEqual(['tokens and leases']);
    const theirs = (await servers.old.root('GET', '/v1/auth/machines/certs/web')).body.data;
    expect(await read('auth/machines/certs/web')).toEqual(theirs);
    const entity = await read('identity/entity/name/web%2F1');
    expect(entity).toMatchObject({ policies: ['web'], metadata: { team: 'net' } });
    expect(entity.aliases[0]).toMatchObject({ name: 'web.example.com', mount_path: 'auth/machines/' });
    const [inner, outer] = [await read('identity/group/name/inner'), await read('identity/group/name/outer')];
    expect(inner.member_entity_ids).toEqual([entity.id]);
    expect(outer.member_group_ids).toEqual([inner.id]);
    expect((await read('identity/group/name/outside')).alias).toMatchObject({ name: 'ops' });
    expect(isDone(await move())).toBe(true);
  });

  it('shows what differs, and changes it', async () => {
    await servers.old.root('POST', '/v1/auth/machines/certs/web', { token_ttl: '30m' });
    const changed = (await move(false)).changes.filter(({ action }) => action !== 'same');
    expect(changed).toEqual([
      { action: 'update', kind: 'cert-roles', owner: 'machines/', name: 'web', differs: ['token_ttl'] },
    ]);
    await move();
    expect((await read('auth/machines/certs/web')).token_ttl).toBe(1800);
    expect(isDone(await move())).toBe(true);
  });

  it('is exported to files, which another server takes', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'lockkeeper-access-')), 'export');
    await exportAccess(folder, await source());
    const from = await accessFolder(folder);
    expect(isDone(await move(false, from))).toBe(true);
    const { fresh, stop } = await startTwoServers(kind);
    const options = { isApplied: true, onProgress: () => {} };
    expect((await migrateAccess(from, connect(fresh), options)).notTaken).toEqual([]);
    expect(isDone(await migrateAccess(from, connect(fresh), options))).toBe(true);
    await stop();
    rmSync(join(folder, '..'), { recursive: true });
  });

  it('needs a token that may list the auth methods', async () => {
    const { address, ca } = servers.old;
    const bad = new Connection({ address, ca, token: 'none', wait: async () => {} });
    await expect(accessSource(bad)).rejects.toThrow('may not list the auth methods');
  });
});
