import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { sql } from '../../storage/index.ts';
import { INITIAL_TUNING } from '../model/mount.ts';
import { MountStore } from '../mounts/mount-store.ts';
import { removeBatchOfMount } from './cleanup.ts';
import { ContentStore } from './crl/content-store.ts';

type Counts = { roles: number; intermediates: number; crls: number; chunks: number };
const count = sql<Record<string, never>, Counts>(
  `SELECT (SELECT count(*) FROM role) AS roles, (SELECT count(*) FROM intermediate) AS intermediates, (SELECT count(*) FROM crl) AS crls,
     (SELECT count(*) FROM crl_chunk) AS chunks`,
);
const addRole = sql<{ mount_id: string; name: string }>(
  "INSERT INTO role (mount_id, name, version, settings) VALUES (:mount_id, :name, 1, '{}')",
);
const addIntermediate = sql<{ mount_id: string; certificate: Uint8Array }>(
  `INSERT INTO intermediate (mount_id, fingerprint, version, certificate, expires_at, used_at)
   VALUES (:mount_id, 'one', 1, :certificate, 0, 0)`,
);
const addCrl = sql<{ mount_id: string; name: string }>(
  `INSERT INTO crl (mount_id, name, version, settings, content_id, fetched_at, failures)
   VALUES (:mount_id, :name, 1, '{}', :mount_id || :name, 0, 0)`,
);

describe.each(databaseKinds)('the data of a disabled cert mount, on %s', (kind) => {
  let opened: TestDatabase;

  const fill = async (id: string, roles: number, chunks: number) => {
    const { database } = opened;
    const mount = { id, path: id, type: 'cert', accessor: id, description: '', tuning: INITIAL_TUNING };
    await new MountStore(database).insert(mount);
    await database.transaction(async (tx) => {
      for (let n = 0; n < roles; n++) await tx.run(addRole, { mount_id: id, name: `role-${n}` });
      await tx.run(addIntermediate, { mount_id: id, certificate: new Uint8Array([0]) });
      for (const name of ['one', 'two']) await tx.run(addCrl, { mount_id: id, name });
    });
    const contents = new ContentStore(database);
    for (let n = 0; n < chunks; n++) await contents.put(`${id}one`, n, new Uint8Array([n]));
  };
  const left = async (): Promise<Counts> => {
    const { roles, intermediates, crls, chunks } = (await opened.database.one(count, {})) as Counts;
    return {
      roles: Number(roles),
      intermediates: Number(intermediates),
      crls: Number(crls),
      chunks: Number(chunks),
    };
  };

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
  });
  afterEach(() => opened.close());

  it('is removed in bounded steps, without the data of other mounts', async () => {
    await fill('a', 450, 19);
    await fill('b', 3, 2);
    const steps: Counts[] = [];
    while (await removeBatchOfMount(opened.database, 'a')) steps.push(await left());
    expect(steps.map(({ roles }) => roles - 3)).toEqual([250, 50, 0, 0, 0, 0, 0, 0]);
    expect(steps.map(({ intermediates }) => intermediates - 1)).toEqual([1, 1, 1, 0, 0, 0, 0, 0]);
    expect(steps.map(({ chunks }) => chunks - 2)).toEqual([19, 19, 19, 19, 11, 3, 0, 0]);
    expect(steps.map(({ crls }) => crls - 2)).toEqual([2, 2, 2, 2, 2, 2, 1, 0]);
    expect(await left()).toEqual({ roles: 3, intermediates: 1, crls: 2, chunks: 2 });
  });
});
