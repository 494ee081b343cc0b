import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type BlobDraft,
  BlobHousekeeping,
  type BlobOwner,
  type BlobStore,
  BlobWriter,
  createKeyring,
  type Database,
  type Dialect,
  type Keyring,
  sql,
  type Transaction,
} from '../../../src/storage/index.ts';
import { report, type TestDatabase } from '../databases.ts';
import { losses, openLosing } from '../lost-commits/losing-database.ts';
import { openMigrated } from '../migrated-databases.ts';

const HOUR = 3_600_000;
const WORKSPACE = 'ws-1';
const organization = (id: string) =>
  `INSERT INTO organization (id, name, email, default_project_id, default_execution_mode,
     allow_force_delete_workspaces, workspace_count, created_at)
   VALUES ('${id}', '${id}', 'a@b.c', 'prj-1', 'remote', 0, 0, 1)`;
const ROWS = [
  ...['org-1', 'org-2'].map(organization),
  `INSERT INTO project (id, organization_id, name, workspace_count, created_at) VALUES ('prj-1', 'org-1', 'one', 0, 1)`,
  `INSERT INTO workspace (id, organization_id, project_id, name, settings, resource_count, version, created_at,
     updated_at, latest_change_at) VALUES ('${WORKSPACE}', 'org-1', 'prj-1', 'one', '{}', 0, 1, 1, 1, 1)`,
];
const selectNames = sql<Record<string, never>, { name: string }>('SELECT name FROM blob ORDER BY name');
const removeRows = sql('DELETE FROM blob');
const insertAgain = sql('INSERT INTO blob SELECT * FROM blob');
const refusal = new Error('the work fails');

/** Contract of writing blobs. `empty` returns a store without blobs. */
export function blobDraftContract(kind: string, dialect: Dialect, empty: () => Promise<BlobStore>): void {
  describe(`a draft in ${kind}, on ${dialect}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));
    let opened: TestDatabase;
    let database: Database;
    let keyring: Keyring;
    let store: BlobStore;
    let writer: BlobWriter;
    let passed = 0;
    const clock = () => Date.now() + passed;

    beforeAll(async () => {
      keyring = await createKeyring({ file: join(folder, 'keyring') });
      opened = await openMigrated(dialect, 'workspaces');
      ({ database } = opened);
      for (const row of ROWS) await database.run(sql(row), {});
    });
    beforeEach(async () => {
      passed = 0;
      await database.run(removeRows, {});
      store = await empty();
      writer = new BlobWriter({ blobStore: store, keyring, clock, report });
    });
    afterAll(async () => {
      await opened.close();
      rmSync(folder, { recursive: true });
    });

    const options = { owner: { workspaceId: WORKSPACE }, kind: 'state', maxBytes: 1000 };
    const write = <T>(content: string, work: (draft: BlobDraft) => Promise<T>, owner: BlobOwner = options.owner) =>
      writer.write([Buffer.from(content)], { ...options, owner }, work);
    const keep = (draft: BlobDraft) => database.transaction((tx) => writer.keep(tx, draft));
    const named = async () => (await database.all(selectNames, {})).map(({ name }) => name);
    const stored = async () => {
      const names: string[] = [];
      for (let from: string | undefined, more = true; more; more = from !== undefined) {
        const page = await store.list(from);
        names.push(...page.blobs.map(({ name }) => name));
        from = page.next;
      }
      return names.toSorted();
    };
    /** Runs housekeeping as at a later time. */
    const sweptAfter = async (milliseconds: number) => {
      const housekeeping = new BlobHousekeeping(database, store, () => Date.now() + milliseconds, report);
      while (await housekeeping.step());
      return stored();
    };

    it('is stored once a transaction has named it', async () => {
      const name = await write('content', keep);
      expect([await named(), await stored()]).toEqual([[name], [name]]);
    });

    type Work = (tx: Transaction, draft: BlobDraft) => Promise<unknown>;
    const fail = () => Promise.reject(refusal);
    it.each<[string, Work]>([
      ['the work fails before it is named', fail],
      ['the work fails after it is named', (tx, draft) => writer.keep(tx, draft).then(fail)],
      [
        'a statement fails after it is named',
        (tx, draft) => writer.keep(tx, draft).then(() => tx.run(insertAgain, {})),
      ],
      [
        'a statement fails that is sent with the COMMIT',
        (tx, draft) => writer.keep(tx, draft).then(() => void tx.run(insertAgain, {}).catch(() => {})),
      ],
    ])('is removed if %s', async (_, work) => {
      const written = write('content', async (draft) => {
        await expect(database.transaction((tx) => work(tx, draft))).rejects.toThrow();
        expect(await stored()).toEqual([draft.blob.name]);
        throw refusal;
      });
      await expect(written).rejects.toBe(refusal);
      await expect.poll(stored).toEqual([]);
      expect(await named()).toEqual([]);
    });

    it('is removed if no transaction names it', async () => {
      await write('content', async ({ blob }) => expect(await stored()).toEqual([blob.name]));
      await expect.poll(stored).toEqual([]);
    });

    it('is removed if the transaction that names it removes the reference too', async () => {
      await write('content', (draft) =>
        database.transaction(async (tx) => writer.release(tx, await writer.keep(tx, draft))),
      );
      await expect.poll(stored).toEqual([]);
      expect(await named()).toEqual([]);
    });

    it('is removed if the workspace has an equal blob, which is named instead', async () => {
      const name = await write('same', keep);
      expect(await write('same', keep)).toBe(name);
      await expect.poll(stored).toEqual([name]);
      expect(await named()).toEqual([name]);
    });

    it('of an organization is stored once for all its workspaces, and stays until the last use is released', async () => {
      const shared = await write('same', keep, { organizationId: 'org-1' });
      expect(await write('same', keep, { organizationId: 'org-1' })).toBe(shared);
      const own = await write('same', keep);
      expect(own).not.toBe(shared);
      const both = [own, shared].toSorted();
      await expect.poll(stored).toEqual(both);
      expect(await sweptAfter(7 * HOUR)).toEqual(both);
      const release = () => database.transaction((tx) => writer.release(tx, shared));
      await release();
      expect(await named()).toEqual(both);
      await release();
      expect(await named()).toEqual([own]);
      await expect.poll(stored).toEqual([own]);
    });

    it('of an organization is removed with it, a few at a time', async () => {
      for (const content of ['one', 'two']) await write(content, keep, { organizationId: 'org-2' });
      const own = await write('one', keep);
      const housekeeping = new BlobHousekeeping(database, store, clock, report);
      while (await housekeeping.removeSome({ organizationId: 'org-2' }));
      expect([await named(), await stored()]).toEqual([[own], [own]]);
    });

    it('of an organization is swept if the organization is deleted without it', async () => {
      await write('one', keep, { organizationId: 'org-2' });
      await database.run(sql("DELETE FROM organization WHERE id = 'org-2'"), {});
      expect([await sweptAfter(0), await named()]).toEqual([[], []]);
      await database.run(sql(organization('org-2')), {});
    });

    it('may be named again after a transaction that was rolled back', async () => {
      const name = await write('content', async (draft) => {
        const failed = database.transaction((tx) => writer.keep(tx, draft).then(fail));
        await expect(failed).rejects.toBe(refusal);
        return keep(draft);
      });
      expect([await named(), await stored()]).toEqual([[name], [name]]);
    });

    it('cannot be named after the end of the work', async () => {
      const late = await write('content', async (draft) => draft);
      await expect(keep(late)).rejects.toThrow('the work of this draft has ended');
      expect(await named()).toEqual([]);
    });

    it('is removed by housekeeping if its process crashed, and not while it may be named', async () => {
      // A work that never ends, as in a crash.
      const { promise: crashed, resolve } = Promise.withResolvers<string>();
      void write('crashed', ({ blob }) => {
        resolve(blob.name);
        return new Promise(() => {});
      });
      const names = [await crashed, await write('content', keep)];
      expect(await sweptAfter(5 * HOUR)).toEqual(names.toSorted());
      expect(await sweptAfter(7 * HOUR)).toEqual([names[1]]);
    });

    it.each(losses)(
      'stays after a COMMIT that lost its %s, until housekeeping knows whether a row names it',
      async (loss) => {
        const other = await openLosing(opened, loss);
        let name = '';
        const lost = write('content', (draft) => {
          ({ name } = draft.blob);
          return other.losing(() => other.database.transaction((tx) => writer.keep(tx, draft)));
        });
        await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
        await other.close();
        expect(await stored()).toEqual([name]);
        const rows = loss === 'response' ? [name] : [];
        expect([await named(), await sweptAfter(7 * HOUR)]).toEqual([rows, rows]);
      },
    );

    it('cannot be named when housekeeping may have removed it, because its process was suspended', async () => {
      const late = write('content', (draft) => {
        passed = 4 * HOUR;
        return keep(draft);
      });
      await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await named()).toEqual([]);
      await expect.poll(stored).toEqual([]);
    });
  });
}
