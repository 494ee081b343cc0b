import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../test/support/databases.ts';
import { openMigrated } from '../../../test/support/migrated-databases.ts';
import { INITIAL_TUNING } from '../model/mount.ts';
import { MountStore } from './mount-store.ts';
import { MountTable } from './mount-table.ts';

const MOMENTS = 60;

describe.each(databaseKinds)('the mount table on %s', (kind) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openMigrated(kind, 'access');
  });
  afterAll(() => opened.close());

  it('finds a new mount, whenever another request reloads the paths', async () => {
    const store = new MountStore(opened.database);
    const table = new MountTable(store);
    for (let moment = 0; moment < MOMENTS; moment++) {
      const path = `at-${moment}`;
      const mount = { id: path, path, type: 'cert', accessor: path, description: '', tuning: INITIAL_TUNING };
      await store.insert(mount);
      const reading = table.refresh();
      for (let i = 0; i < moment; i++) await undefined;
      expect((await table.mountAt(`${path}/certs/web`))?.mount.id).toBe(path);
      await reading;
    }
  });
});
