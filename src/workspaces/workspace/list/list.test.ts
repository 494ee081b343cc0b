import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { happening, happeningsIn } from '../../../../test/api/workspaces/support/lists/happenings.ts';
import { type Asked, asked, type Model, naive } from '../../../../test/api/workspaces/support/lists/naive.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../../../test/support/databases.ts';
import { type Database, migrate, sql } from '../../../storage/index.ts';
import { workspacesMigrations } from '../../modules.ts';
import { ALL_ACCESS, type Grant, NO_ACCESS } from '../../tenancy/permissions/grants.ts';
import { WorkspaceIndexCache } from './index-cache.ts';
import { type ListFilter, queryWorkspaces } from './query.ts';
import { EVERYTHING, listWorkspaces } from './store.ts';

/** `.ci/run` asks for 100. */
const ROUNDS = Number(process.env.LOCKKEEPER_TEST_ROUNDS ?? 20);

describe.each(databaseKinds)('every implementation of lists on %s', (kind) => {
  let opened: TestDatabase;
  let db: Database;
  let kept: ReturnType<typeof happeningsIn>;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    db = opened.database;
    await migrate(db, 'workspaces', workspacesMigrations);
    kept = happeningsIn(db);
  }, 60_000);
  afterAll(() => opened.close());

  async function check(
    model: Model,
    organization: string,
    id: (name: string) => string,
    indexes: WorkspaceIndexCache,
    query: Asked,
  ) {
    const { who, project, size, number, ...rest } = query;
    const grant: Grant =
      who === 'all'
        ? { organizationId: organization, teamIds: [], owner: true, access: ALL_ACCESS }
        : { organizationId: organization, teamIds: who.map(id), owner: false, access: NO_ACCESS };
    const there = model.workspaces.filter((one) => !one.deleted && (project === undefined || one.project === project));
    const projectId = project === undefined ? undefined : id(project);
    const scope = { organizationId: organization, projectId, grant, count: there.length };
    const filter: ListFilter = { ...EVERYTHING, ...rest };
    const page = { number, size, offset: (number - 1) * size };
    const { counts, ...wanted } = naive(model, query);
    const namesOf = ({ items, total }: { items: readonly { name: string }[]; total: number }) => ({
      names: items.map((item) => item.name),
      total,
    });
    expect(namesOf(await queryWorkspaces(db, scope, filter, page)), 'from the database').toEqual(wanted);
    await indexes.indexOf(db, organization, async () => true);
    const listed = await listWorkspaces(db, scope, filter, page, indexes, undefined, true);
    expect(namesOf(listed), 'from the index').toEqual(wanted);
    expect(listed.counts).toEqual(counts);
  }

  test('gives the same result as a plain search after any sequence of changes', async () => {
    const rounds = fc.array(
      fc.record({
        before: fc.array(happening, { minLength: 5, maxLength: 25 }),
        queries: fc.array(asked, { minLength: 12, maxLength: 25 }),
      }),
      { minLength: 3, maxLength: 4 },
    );
    const property = fc.asyncProperty(rounds, async (given) => {
      const { model, organization, id } = await kept.begin();
      const indexes = new WorkspaceIndexCache();
      for (const { before, queries } of given) {
        for (const what of before) await kept.happen(model, organization, id, what);
        for (const query of queries) await check(model, organization, id, indexes, query);
      }
    });
    await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true });
  }, 500_000);

  // SQLite has one writer: transactions cannot overlap there.
  test.runIf(kind === 'postgres')(
    'contains a change that started before another one and committed after it',
    async () => {
      const { model, organization, id } = await kept.begin();
      for (const one of [0, 1, 2]) await kept.happen(model, organization, id, { kind: 'create', at: 0, one, two: 0 });
      const indexes = new WorkspaceIndexCache();
      const grant: Grant = { organizationId: organization, teamIds: [], owner: true, access: ALL_ACCESS };
      const scope = { organizationId: organization, projectId: undefined, grant, count: 3 };
      const page = { number: 1, size: 10, offset: 0 };
      const names = async () => {
        await indexes.indexOf(db, organization, async () => true);
        return (await listWorkspaces(db, scope, EVERYTHING, page, indexes)).items.map(({ name }) => name);
      };
      expect(await names()).toEqual(['App-2', 'app', 'db']);
      const rename = sql<{ id: string; name: string }>('UPDATE workspace SET name = :name WHERE id = :id');
      const [begun, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = db.transaction(async (tx) => {
        // In small tables, concurrent serializable transactions conflict and are retried.
        await tx.run(sql('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'), {});
        await tx.run(rename, { id: id('ws-0'), name: 'slow' });
        begun.resolve();
        await seen.promise;
      });
      await begun.promise;
      await db.run(rename, { id: id('ws-2'), name: 'quick' });
      expect(await names()).toEqual(['App-2', 'app', 'quick']);
      seen.resolve();
      await slow;
      expect(await names()).toEqual(['App-2', 'quick', 'slow']);
    },
  );
});
