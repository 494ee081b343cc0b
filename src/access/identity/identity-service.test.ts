import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { INITIAL_TUNING, type Mount } from '../model/mount.ts';
import { MountStore } from '../mounts/mount-store.ts';
import { NO_GRANTS } from './entity/entity-grants.ts';
import { IdentityService } from './identity-service.ts';

describe.each(databaseKinds)('identities, on %s', (kind) => {
  let opened: TestDatabase;
  let mounts: MountStore;
  let identities: IdentityService;
  let a: Mount;
  let b: Mount;
  let now = 1000;

  const mount = async (path: string): Promise<Mount> => {
    const accessor = `auth_cert_${path}`;
    await mounts.insert({ id: `id-${path}`, path, type: 'cert', accessor, description: '', tuning: INITIAL_TUNING });
    return (await mounts.findByPath(path)) as Mount;
  };
  const login = (at: Mount, aliasName: string, metadata?: Record<string, string>) =>
    identities.forLogin({ mountId: at.id, aliasName, metadata });
  const entityOf = async (...parameters: Parameters<typeof login>): Promise<string> => {
    const identity = await login(...parameters);
    if ('refused' in identity) throw new Error(identity.refused);
    return identity.entityId;
  };
  const entities = async () => (await identities.entities.store.page('', 1000)).length;

  beforeEach(async () => {
    now = 1000;
    opened = await openMigrated(kind, 'access');
    mounts = new MountStore(opened.database);
    identities = new IdentityService(opened.database, () => now);
    a = await mount('a');
    b = await mount('b');
  });
  afterEach(() => opened.close());

  it('are unique for each name at each mount', async () => {
    const first = await entityOf(a, 'web');
    expect(first).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    expect(await entityOf(a, 'web')).toBe(first);
    expect(await entityOf(a, ' web ')).toBe(first);
    expect(await entityOf(a, 'Web')).not.toBe(first);
    expect(await entityOf(b, 'web')).not.toBe(first);
    expect(await entities()).toBe(3);
  });

  it('are unique if many logins arrive at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => entityOf(a, 'web')));
    expect(new Set(ids).size).toBe(1);
    expect(await entities()).toBe(1);
  });

  it('are not created for invalid names', async () => {
    for (const name of ['', '  ', 'a\0b', 'x'.repeat(3000)]) {
      expect(await login(a, name)).toEqual({ refused: 'unusable-name' });
    }
    expect(await entities()).toBe(0);
  });

  it('that are disabled cannot log in and fill no templates', async () => {
    const id = await entityOf(a, 'web');
    await identities.entities.write({ id }, { disabled: true });
    expect(await login(a, 'web', { k: 'v' })).toEqual({ refused: 'disabled' });
    expect(await identities.templateIdentity(id, NO_GRANTS)).toBeUndefined();
    expect((await identities.findEntity({ id }))?.aliases[0]?.metadata).toBeNull();
    await identities.entities.write({ id }, { disabled: false });
    expect(await entityOf(a, 'web')).toBe(id);
  });

  it('keep the metadata of the last login if the mount stores it', async () => {
    const id = await entityOf(a, 'web', { k: '1' });
    const metadata = async () => (await identities.findEntity({ id }))?.aliases[0];
    expect(await metadata()).toMatchObject({ metadata: { k: '1' }, createdAt: 1000, updatedAt: 1000 });
    now = 2000;
    await entityOf(a, 'web', { k: '1' });
    expect(await metadata()).toMatchObject({ updatedAt: 1000 });
    await entityOf(a, 'web', { k: '2' });
    expect(await metadata()).toMatchObject({ metadata: { k: '2' }, updatedAt: 2000 });
    await entityOf(a, 'web');
    expect(await metadata()).toMatchObject({ metadata: null });
  });

  it("fill templates by the mount's accessor", async () => {
    const id = await entityOf(a, 'web', { '1-2-3': 'x' });
    await identities.entities.write({ id }, { name: 'front', metadata: { team: 'blue' } });
    const alias = (await identities.findEntity({ id }))?.aliases[0];
    expect(await identities.templateIdentity(id, NO_GRANTS)).toEqual({
      id,
      name: 'front',
      metadata: { team: 'blue' },
      aliases: { auth_cert_a: { id: alias?.id, name: 'web', metadata: { '1-2-3': 'x' }, customMetadata: {} } },
      groups: [],
    });
  });

  it('are found only at the given mount', async () => {
    const id = await entityOf(a, 'web');
    const at = async (accessor: string, aliasName: string) =>
      (await identities.findEntity({ accessor, aliasName }))?.id;
    expect(await at('auth_cert_a', 'web')).toBe(id);
    expect(await at('auth_cert_a', ' web')).toBe(id);
    expect(await at('auth_cert_a', 'WEB')).toBeUndefined();
    expect(await at('auth_cert_b', 'web')).toBeUndefined();
    expect(await at('auth_cert_a', 'a\0b')).toBeUndefined();
  });

  it('can have an alias at the token store, which always exists', async () => {
    const identity = await identities.forLogin({ mountId: 'auth_token', aliasName: 'ci', metadata: undefined });
    if ('refused' in identity) throw new Error(identity.refused);
    const { aliases } = (await identities.templateIdentity(identity.entityId, NO_GRANTS)) ?? {};
    expect(aliases?.auth_token).toMatchObject({ name: 'ci' });
    const found = await identities.findEntity({ accessor: 'auth_token', aliasName: 'ci' });
    expect(found).toMatchObject({ id: identity.entityId, aliases: [{ mountPath: 'token', mountType: 'token' }] });
    expect(await identities.findEntity({ accessor: 'auth_cert_a', aliasName: 'ci' })).toBeUndefined();
  });

  it('are new ones after a deletion', async () => {
    const id = await entityOf(a, 'web');
    await identities.entities.remove({ id });
    expect(await identities.findEntity({ id })).toBeUndefined();
    expect(await identities.templateIdentity(id, NO_GRANTS)).toBeUndefined();
    expect(await entityOf(a, 'web')).not.toBe(id);
    await identities.entities.remove({ id });
    expect(await entities()).toBe(1);
  });

  it('have unique names', async () => {
    const [first, second] = [await entityOf(a, 'one'), await entityOf(a, 'two')];
    await identities.entities.write({ id: first }, { name: 'front' });
    await identities.entities.write({ id: first }, { name: ' front ' });
    await expect(identities.entities.write({ id: second }, { name: 'front' })).rejects.toThrow('already in use');
    await expect(identities.entities.write({ id: 'nobody' }, { name: 'x' })).rejects.toMatchObject({
      kind: 'bad-request',
    });
  });

  it('lose the aliases of a disabled mount, immediately for readers and later in the database', async () => {
    const id = await entityOf(a, 'web');
    await mounts.disable('a', now);
    expect((await identities.findEntity({ id }))?.aliases).toEqual([]);
    expect(await identities.aliases.store.page('', 10)).toEqual([]);
    const again = await mount('a2');
    expect(await entityOf(again, 'web')).not.toBe(id);
    expect(await identities.removeSomeOfMount(a.id)).toBe(false);
    expect(await entityOf(a, 'web')).not.toBe(id);
    expect(await identities.removeSomeOfMount(b.id)).toBe(false);
    expect((await identities.aliases.store.page('', 10)).map(({ name }) => name)).toEqual(['web']);
  });
});
