import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { createRoot } from '../../pki/index.ts';
import { NO_VALIDATORS } from '../../revocation/crl/index.ts';
import { sql } from '../../storage/index.ts';
import { removeBatchOfMount } from '../cert/cleanup.ts';
import { ContentStore } from '../cert/crl/content-store.ts';
import { CrlContents } from '../cert/crl/crl-contents.ts';
import { mergeSettings } from '../cert/crl/crl-fields.ts';
import { CrlStore } from '../cert/crl/crl-store.ts';
import { IdentityService } from '../identity/index.ts';
import { CleanupStore } from './cleanup-store.ts';
import type { Method } from './method.ts';
import { Methods } from './methods.ts';
import { GRACE_MS, MountKeeper, type RemoveBatch } from './mount-keeper.ts';
import { MountService } from './mount-service.ts';
import { MountStore } from './mount-store.ts';
import { MountTable } from './mount-table.ts';

type Counts = { mounts: number; roles: number; crls: number; chunks: number; aliases: number };
const counts = sql<Record<string, never>, Counts>(
  `SELECT (SELECT count(*) FROM mount) AS mounts, (SELECT count(*) FROM role) AS roles,
     (SELECT count(*) FROM crl) AS crls, (SELECT count(*) FROM crl_chunk) AS chunks,
     (SELECT count(*) FROM entity_alias) AS aliases`,
);
const insertRole = sql<{ mount_id: string; name: string }>(
  "INSERT INTO role (mount_id, name, version, settings) VALUES (:mount_id, :name, 1, '{}')",
);

/** A method that records whether it is running. All other parts are the real ones. */
class Witness implements Method {
  readonly operations = [];
  readonly tasks = [];
  readonly #running: Set<string>;
  readonly #mountId: string;
  readonly #removeSome: RemoveBatch;

  constructor(running: Set<string>, mountId: string, removeSome: RemoveBatch) {
    this.#running = running;
    this.#mountId = mountId;
    this.#removeSome = removeSome;
  }

  renew(): never {
    throw new Error('nothing to renew');
  }

  start(): void {
    this.#running.add(this.#mountId);
  }

  async stop(): Promise<void> {
    this.#running.delete(this.#mountId);
  }

  removeBatch(): Promise<boolean> {
    return this.#removeSome(this.#mountId);
  }
}

describe.each(databaseKinds)('background work of mounts, on %s', (kind) => {
  const root = createRoot();
  let opened: TestDatabase;
  let now = 0;
  const errors: unknown[] = [];

  /** Starts another node on the same database. */
  const node = (removeSome: RemoveBatch = (id) => removeBatchOfMount(opened.database, id), types = ['cert']) => {
    const { database } = opened;
    const running = new Set<string>();
    const store = new MountStore(database);
    const table = new MountTable(store);
    const make = ({ id }: { id: string }) => new Witness(running, id, removeSome);
    const methods = new Methods(Object.fromEntries(types.map((type) => [type, make])));
    const identities = new IdentityService(database, () => now);
    const keeper = new MountKeeper({
      table,
      methods,
      cleanup: new CleanupStore(database),
      owned: [(id) => identities.removeSomeOfMount(id)],
      clock: () => now,
      report: (error) => errors.push(error),
    });
    const limits = { defaultTtl: 3600, maxTtl: 7200 };
    const service = new MountService({ store, methods, limits, clock: () => now, changed: () => keeper.wake() });
    return { running, store, table, methods, identities, keeper, service };
  };
  const fill = async (mountId: string, roles: number, identities: IdentityService) => {
    await opened.database.transaction(async (tx) => {
      for (let i = 0; i < roles; i++) await tx.run(insertRole, { mount_id: mountId, name: `role-${i}` });
    });
    const contents = new CrlContents(new ContentStore(opened.database), { allowSha1: false });
    const { contentId } = await contents.add(Readable.from([Buffer.from(root.crl({ revoked: [1n] }).pem)]));
    const state = { contentId, url: null, fetchedAt: 0, validators: NO_VALIDATORS, failures: 0, lastError: null };
    const crls = new CrlStore(opened.database, mountId);
    await crls.put('list', () => ({ ...state, settings: mergeSettings({}, {}), nextFetchAt: null }));
    await identities.forLogin({ mountId, aliasName: 'web', metadata: undefined });
  };
  const stored = () => opened.database.one(counts, {});
  const idOf = async (store: MountStore, path: string) => (await store.findByPath(path))?.id ?? '';

  beforeEach(async () => {
    now = Date.now();
    errors.length = 0;
    opened = await openMigrated(kind, 'access');
  });
  afterEach(async () => {
    await opened.close();
    expect(errors).toEqual([]);
  });

  it('methods run on every node while their mounts exist', async () => {
    const [one, other] = [node(), node()];
    await one.service.enable('a', { type: 'cert' });
    await Promise.all([one.keeper.start(), other.keeper.start()]);
    const a = await idOf(one.store, 'a');
    expect([...other.running]).toEqual([a]);
    await one.service.enable('b', { type: 'cert' });
    await one.service.disable('a');
    expect(one.running.has(a)).toBe(false);
    await Promise.all([one.keeper.tick(), other.keeper.tick()]);
    const b = await idOf(one.store, 'b');
    expect([[...one.running], [...other.running]]).toEqual([[b], [b]]);
    await Promise.all([one.keeper.stop(), other.keeper.stop()]);
    await Promise.all([one.methods.stop(), other.methods.stop()]);
    expect([...one.running, ...other.running]).toEqual([]);
  });

  it('the data of a disabled mount is removed, and no other data', async () => {
    const { keeper, service, store, identities } = node();
    for (const path of ['a', 'b']) {
      await service.enable(path, { type: 'cert' });
      await fill(await idOf(store, path), 3, identities);
    }
    await keeper.tick();
    await service.disable('a');
    await keeper.tick();
    expect(await stored()).toEqual({ mounts: 2, roles: 3, crls: 1, chunks: 1, aliases: 1 });
    now += GRACE_MS;
    await keeper.tick();
    expect(await stored()).toEqual({ mounts: 1, roles: 3, crls: 1, chunks: 1, aliases: 1 });
    await keeper.stop();
  });

  it('an interrupted removal continues after a restart, on any number of nodes', async () => {
    const first = node(async (id) => {
      await removeBatchOfMount(opened.database, id);
      void first.keeper.stop();
      return true;
    });
    await first.service.enable('a', { type: 'cert' });
    await fill(await idOf(first.store, 'a'), 450, first.identities);
    await first.service.disable('a');
    await first.keeper.tick();
    const left = await stored();
    expect(left).toMatchObject({ roles: 250, crls: 1, aliases: 0 });
    const nodes = [node(), node()];
    now += GRACE_MS;
    await Promise.all(nodes.map(({ keeper }) => keeper.tick()));
    expect(await stored()).toEqual({ mounts: 0, roles: 0, crls: 0, chunks: 0, aliases: 0 });
    await Promise.all(nodes.map(({ keeper }) => keeper.stop()));
  });

  it('data that only a newer version understands is kept', async () => {
    const { service, store, identities, keeper } = node();
    await service.enable('a', { type: 'cert' });
    await fill(await idOf(store, 'a'), 1, identities);
    await keeper.stop();
    await service.disable('a');
    const older = node(undefined, ['other']);
    now += GRACE_MS;
    await older.keeper.tick();
    expect(await stored()).toMatchObject({ mounts: 1, roles: 1, crls: 1 });
    await older.keeper.stop();
  });

  it('a path can be reused at once, without data of the former mount', async () => {
    const { service, store, keeper } = node();
    await service.enable('a', { type: 'cert' });
    const before = await idOf(store, 'a');
    await service.disable('a');
    await service.enable('a', { type: 'cert' });
    expect(await idOf(store, 'a')).not.toBe(before);
    await service.disable('a');
    await service.disable('a');
    expect(await store.all()).toEqual([]);
    await keeper.stop();
  });

  it('no two mounts share a path or contain each other, even if enabled concurrently', async () => {
    const [one, other] = [node(), node()];
    const paths = ['x', 'x/y', 'x/y/z', 'x', 'x-y', 'w/x'];
    const outcomes = await Promise.allSettled(
      paths.map((path, index) => (index % 2 ? other : one).service.enable(path, { type: 'cert' })),
    );
    const enabled = (await one.store.all()).map(({ path }) => path);
    expect(enabled).toHaveLength(outcomes.filter(({ status }) => status === 'fulfilled').length);
    expect(enabled.filter((path) => path === 'x' || path.startsWith('x/'))).toHaveLength(1);
    expect(enabled).toEqual(expect.arrayContaining(['x-y', 'w/x']));
    await Promise.all([one.keeper.stop(), other.keeper.stop()]);
  });

  it('a table sees mounts that another node has enabled, moved or disabled at once', async () => {
    const [one, other] = [node(), node()];
    const found = async (path: string) => (await other.table.mountAt(path))?.mount.path;
    expect(await found('a/login')).toBeUndefined();
    await one.service.enable('a', { type: 'cert' });
    expect(await found('a/login')).toBe('a');
    await one.service.move('auth/a', 'auth/b/c/');
    expect([await found('a/login'), await found('b/c/login'), await found('b/login')]).toEqual([
      undefined,
      'b/c',
      undefined,
    ]);
    await one.service.disable('b/c');
    expect(await found('b/c/login')).toBeUndefined();
    await Promise.all([one.keeper.stop(), other.keeper.stop()]);
  });

  it('the first mount is created once, and not again after it was disabled', async () => {
    const { table, service, store, keeper } = node();
    await table.ensure('cert', 'cert');
    await table.ensure('cert', 'cert');
    expect((await store.all()).map(({ path }) => path)).toEqual(['cert']);
    await service.disable('cert');
    await table.ensure('cert', 'cert');
    expect(await store.all()).toEqual([]);
    await keeper.stop();
  });
});
