import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { nextTurn } from '../../../lib/slices.ts';
import { createRoot } from '../../../pki/index.ts';
import { sql } from '../../../storage/index.ts';
import { Certificate, certificatesInPem } from '../../../x509/index.ts';
import { KEPT_REMOVALS } from '../../method/index.ts';
import { INITIAL_SETTINGS } from '../settings/role-settings.ts';
import { type CertRoleStore, certRoleStore } from './cert-role-store.ts';
import { RoleRegistry, type RoleSnapshot } from './role-registry.ts';

const addMount = sql(
  "INSERT INTO mount (id, path, type, accessor, version, config) VALUES ('m', 'cert', 'cert', 'a', 1, '{}')",
);
const advance = sql<{ versions: number }>('UPDATE mount SET version = version + :versions');
const countRemovals = sql<Record<never, never>, { count: number }>('SELECT count(*) AS count FROM removed_role');

const certificateOf = (pem: string) => Certificate.parse(certificatesInPem(pem)[0] as Buffer);

describe.each(databaseKinds)('the role registry, on %s', (kind) => {
  let opened: TestDatabase;
  let store: CertRoleStore;
  let registry: RoleRegistry;
  const [one, two] = ['one', 'two'].map((subject) => createRoot({ subject }).pem) as [string, string];
  const put = (name: string, certificate: string) =>
    store.update(name, () => ({ ...INITIAL_SETTINGS, certificate })).then(() => {});
  /** Returns the role names, and for each certificate the roles that contain it. */
  const shown = ({ byName, anchors }: RoleSnapshot) => ({
    names: [...byName.keys()].sort(),
    owners: [one, two].map((pem) => (anchors.get(certificateOf(pem))?.owners ?? []).map(({ name }) => name).sort()),
  });

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    await opened.database.run(addMount, {});
    store = certRoleStore(opened.database, 'm');
    registry = new RoleRegistry(store);
  });
  afterEach(() => opened.close());

  it('reads roles in slices, without blocking other requests, and once for all waiting callers', async () => {
    await put('a', createRoot().pem.repeat(100));
    for (let i = 0; i < 60; i++) await put(`r${i}`, i % 2 ? one : two);
    let turns = 0;
    let isRead = false;
    const others = (async () => {
      for (; !isRead; turns++) await nextTurn();
    })();
    const snapshots = await Promise.all([registry.current(), registry.current()]);
    isRead = true;
    await others;
    expect(snapshots[0]).toBe(snapshots[1]);
    expect(snapshots[0]?.byName.size).toBe(61);
    expect(turns).toBeGreaterThan(61);
  });

  it('follows writes, rewrites and removals on any node', async () => {
    await put('a', one);
    await put('b', one);
    expect(shown(await registry.current())).toEqual({ names: ['a', 'b'], owners: [['a', 'b'], []] });
    await put('a', two);
    expect(shown(await registry.current())).toEqual({ names: ['a', 'b'], owners: [['b'], ['a']] });
    await store.remove('b');
    expect(shown(await registry.current())).toEqual({ names: ['a'], owners: [[], ['a']] });
    await store.remove('a');
    await put('a', one);
    await store.remove('none');
    expect(shown(await registry.current())).toEqual({ names: ['a'], owners: [['a'], []] });
    expect(shown(await new RoleRegistry(store).current())).toEqual({ names: ['a'], owners: [['a'], []] });
  });

  it('reads all roles again if records of removals may be gone, because they are stored for a limited time', async () => {
    for (const name of ['a', 'b', 'c']) await put(name, one);
    await registry.current();
    await store.remove('a');
    await opened.database.run(advance, { versions: KEPT_REMOVALS });
    await store.remove('b');
    expect((await opened.database.one(countRemovals, {}))?.count).toBe(1);
    expect(shown(await registry.current())).toEqual({ names: ['c'], owners: [['c'], []] });
  });

  it('reads only the role that was written', async () => {
    for (let i = 0; i < 60; i++) await put(`r${i}`, one);
    const before = await registry.current();
    const entries = new Map(before.byName);
    await put('r7', two);
    await store.remove('r8');
    const { byName } = await registry.current();
    const same = [...byName.values()].filter((role) => entries.get(role.name) === role);
    expect([byName.size, same.length]).toEqual([59, 58]);
  });
});
