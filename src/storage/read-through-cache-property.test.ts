import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, type Queries, sql } from './database.ts';
import { ReadThroughCache } from './read-through-cache.ts';
import { openSqlite } from './sqlite.ts';

type Rows = readonly object[];
type Read = (db: Queries) => Promise<Rows>;

/** Tables with parts, counting triggers, cascading foreign keys, and an unrelated table. */
const SCHEMA = [
  'CREATE TABLE owner (id TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID',
  `CREATE TABLE thing (id TEXT PRIMARY KEY, owner_id TEXT NOT NULL REFERENCES owner (id) ON DELETE CASCADE,
     name TEXT NOT NULL, held INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL DEFAULT 0) STRICT`,
  `CREATE TABLE part (thing_id TEXT NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
     tag_id TEXT REFERENCES tag (id) ON DELETE SET NULL, name TEXT NOT NULL) STRICT`,
  'CREATE TABLE tag (id TEXT PRIMARY KEY, word TEXT NOT NULL, uses INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID',
  'CREATE TABLE apart (id TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TRIGGER counts AFTER INSERT ON thing BEGIN UPDATE owner SET count = count + 1 WHERE id = NEW.owner_id; END`,
  `CREATE TRIGGER uses AFTER INSERT ON part BEGIN UPDATE tag SET uses = uses + 1 WHERE id = NEW.tag_id; END`,
  `CREATE TRIGGER sees AFTER UPDATE OF name ON tag BEGIN UPDATE thing SET seen = seen + 1; END`.replace('name', 'word'),
];
const IDS = ['a', 'b', 'c', 'd'];
type Id = { id: string };

const owner = sql<Id, object>('SELECT name FROM owner WHERE id = :id');
const counted = sql<Id, object>('SELECT count FROM owner WHERE id = :id');
const thing = sql<Id, object>(
  `SELECT w.name, w.held, w.seen, o.name AS owner,
     (SELECT group_concat(t.word) FROM part p JOIN tag t ON t.id = p.tag_id WHERE p.thing_id = w.id) AS words
   FROM thing w JOIN owner o ON o.id = w.owner_id WHERE w.id = :id`,
);
const sameName = sql<Id, object>(
  'SELECT w.id FROM thing w JOIN thing x ON x.name = w.name WHERE x.id = :id ORDER BY w.id',
);
const either = sql<Id, object>('SELECT w.name FROM thing w WHERE w.id = :id OR w.held > 1 ORDER BY w.id');
const things = sql<Record<string, never>, object>('SELECT count(*) AS count FROM thing');
const apart = sql<Id, object>('SELECT value FROM apart WHERE id = :id');

/** Cached reads: each with its key and, for some, the row that the caller declares. */
function readsOf(kept: ReadThroughCache<Rows>): [key: string, read: Read, row?: string][] {
  const ofId = IDS.flatMap((id): [string, Read, string?][] => [
    [`owner ${id}`, (db) => db.all(owner, { id })],
    [`counted ${id}`, (db) => db.all(counted, { id })],
    [`thing ${id}`, (db) => db.all(thing, { id }), id],
    // The declared row is incomplete for these statements, because they read other rows too.
    [`same name ${id}`, (db) => db.all(sameName, { id }), id],
    [`either ${id}`, (db) => db.all(either, { id }), id],
    [`another ${id}`, (db) => db.all(thing, { id }), 'e'],
    [`apart ${id}`, (db) => db.all(apart, { id })],
    [
      `dynamic ${id}`,
      (db) => db.dynamic({ sql: 'select count(*) as n from part where thing_id = ?', parameters: [id] }),
    ],
  ]);
  const several: Read = async (db) => [...(await db.all(owner, { id: 'a' })), ...(await db.all(thing, { id: 'b' }))];
  const within: Read = async (db) => {
    const inner = () => db.all(thing, { id: 'a' });
    const known = 'transaction' in db ? await kept.get('thing a', inner, 'a') : await inner();
    return [...known, ...(await db.all(apart, { id: 'a' }))];
  };
  return [...ofId, ['things', (db) => db.all(things, {})], ['several', several], ['within', within]];
}

const each = `select w.id, w.name, w.held, o.name as owner, (select count(*) from part p where p.thing_id = w.id) as parts
  from thing w join owner o on o.id = w.owner_id where w.id in`;

function readEach(db: Queries) {
  return async (ids: readonly string[]): Promise<(object | undefined)[]> => {
    const rows = await db.dynamic<Id>({ sql: `${each} (${ids.map(() => '?').join(', ')})`, parameters: ids });
    return ids.map((id) => rows.find((row) => row.id === id));
  };
}

const W = {
  name: sql<Id & { name: string }>('UPDATE thing SET name = :name WHERE id = :id'),
  hold: sql<Id>('UPDATE thing SET held = held + 1 WHERE id = :id'),
  holdAll: sql('UPDATE thing SET held = held + 1'),
  add: sql<Id & { ownerId: string; name: string }>(
    `INSERT INTO thing (id, owner_id, name) VALUES (:id, :ownerId, :name)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, owner_id = excluded.owner_id`,
  ),
  remove: sql<Id>('DELETE FROM thing WHERE id = :id'),
  part: sql<Id & { tagId: string }>(
    `INSERT INTO part (thing_id, tag_id, name) SELECT :id, :tagId, 'p' WHERE EXISTS (SELECT 1 FROM thing WHERE id = :id)`,
  ),
  movePart: sql<Id & { from: string }>(
    'UPDATE part SET thing_id = :id WHERE thing_id = :from AND EXISTS (SELECT 1 FROM thing WHERE id = :id)',
  ),
  removeTag: sql<Id>('DELETE FROM tag WHERE id = :id'),
  tag: sql<Id & { name: string }>(
    'INSERT INTO tag (id, word) VALUES (:id, :name) ON CONFLICT (id) DO UPDATE SET word = excluded.word',
  ),
  owner: sql<Id & { name: string }>(
    'INSERT INTO owner (id, name) VALUES (:id, :name) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
  ),
  removeOwner: sql<Id>('DELETE FROM owner WHERE id = :id'),
  apart: sql<Id & { value: number }>(
    'INSERT INTO apart (id, value) VALUES (:id, :value) ON CONFLICT (id) DO UPDATE SET value = excluded.value',
  ),
} as const;

/** Returns a deterministic random number generator (mulberry32). */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

async function writeSomething(db: Queries, pick: (below: number) => number): Promise<unknown> {
  const id = IDS[pick(IDS.length)] ?? '';
  const ownerId = IDS[pick(2)] ?? '';
  const name = `n${pick(3)}`;
  const writes: (() => Promise<unknown>)[] = [
    () => db.run(W.name, { id, name }),
    () => db.run(W.hold, { id }),
    () => db.run(W.holdAll, {}),
    async () => {
      await db.run(W.owner, { id: ownerId, name });
      await db.run(W.add, { id, ownerId, name });
    },
    () => db.run(W.remove, { id }),
    async () => {
      await db.run(W.tag, { id: ownerId, name });
      await db.run(W.part, { id, tagId: ownerId });
    },
    () => db.run(W.movePart, { id, from: IDS[pick(IDS.length)] ?? '' }),
    () => db.run(W.removeTag, { id: ownerId }),
    () => db.run(W.tag, { id: ownerId, name }),
    () => db.run(W.owner, { id: ownerId, name }),
    () => db.run(W.removeOwner, { id: ownerId }),
    () => db.run(W.apart, { id, value: pick(1000) }),
  ];
  return writes[pick(writes.length)]?.();
}

describe('cached reads after any write', () => {
  let folder: string;
  let database: Database;
  let elsewhere: Database;
  let kept: ReadThroughCache<Rows>;
  let keptEach: ReadThroughCache<object>;
  const open = () => openSqlite({ file: join(folder, 'test.db'), report: () => {} });
  const keptIds = () => keptEach.getMany(IDS, readEach(database), (id) => id);
  const keep = (read: Read) => () => read(database);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockkeeper-'));
    database = await open();
    for (const text of SCHEMA) await database.run(sql(text), {});
    database.follow({ thing: 'id', part: 'thing_id' });
    elsewhere = await open();
    kept = new ReadThroughCache(database, 1000);
    keptEach = new ReadThroughCache(database, 1000);
  });
  afterEach(async () => {
    await elsewhere.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  /** Expects each cached read to equal a read from the database. Neither waits for anything. */
  async function expectAlike(): Promise<void> {
    for (const [key, read, row] of readsOf(kept)) {
      const [given, now] = await Promise.all([kept.get(key, keep(read), row), read(database)]);
      expect(given, key).toEqual(now);
    }
    const [given, now] = await Promise.all([keptIds(), readEach(database)(IDS)]);
    expect(given, 'each').toEqual(now.filter((one) => one !== undefined));
  }

  it.each([1, 2, 3, 4, 5, 6])('equal reads from the database at any moment of own writes (%i)', async (seed) => {
    const pick = chance(seed);
    const writing = new Set<Promise<unknown>>();
    for (let round = 0; round < 250; round++) {
      const failing = pick(5) === 0;
      const done = pick(3)
        ? writeSomething(database, pick).catch(() => {})
        : database
            .transaction(async (tx) => {
              await writeSomething(tx, pick);
              await writeSomething(tx, pick);
              if (failing) throw new Error('rolled back');
            })
            .catch(() => {});
      writing.add(done.finally(() => writing.delete(done)));
      if (pick(2)) await expectAlike();
      if (pick(3) === 0) await done;
      if (pick(4) === 0) await nextTurn();
      await expectAlike();
    }
    await Promise.all(writing);
    await expectAlike();
  });

  it.each([7, 8, 9])('equal reads from the database a turn later if others write too (%i)', async (seed) => {
    const pick = chance(seed);
    for (let round = 0; round < 120; round++) {
      const writing = writeSomething(pick(2) ? database : elsewhere, pick).catch(() => {});
      if (pick(2)) await expect.poll(() => expectAlike().then(() => true)).toBe(true);
      await writing;
      await nextTurn();
      await expectAlike();
    }
  });

  describe('while a sync is slow', () => {
    let slow: Database;
    let syncs: (() => void)[];
    const syncing = async (count: number) => {
      await expect.poll(() => syncs.length, { timeout: 10_000 }).toBe(count);
      return syncs[count - 1] ?? (() => {});
    };
    const held = () => kept.get('held', () => slow.all(thing, { id: 'a' }), 'a');

    beforeEach(async () => {
      await database.run(W.owner, { id: 'a', name: 'a' });
      await database.run(W.add, { id: 'a', ownerId: 'a', name: 'a' });
      syncs = [];
      const sync = () => new Promise<void>((resolve) => syncs.push(resolve));
      slow = await openSqlite({ file: join(folder, 'test.db'), report: () => {}, sync });
      slow.follow({ thing: 'id', part: 'thing_id' });
      kept = new ReadThroughCache(slow, 10);
      expect(await held()).toMatchObject([{ held: 0 }]);
    });
    afterEach(() => slow.close());

    it('are invalidated by a transaction that was in progress when the sync started', async () => {
      const first = slow.run(W.apart, { id: 'a', value: 1 });
      const endFirst = await syncing(1);
      // A transaction, because a single statement would wait for the group commit.
      const second = slow.transaction((tx) => tx.run(W.apart, { id: 'a', value: 2 }));
      const unit = slow.transaction(async (tx) => {
        await tx.run(W.hold, { id: 'a' });
        endFirst();
        for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      });
      await first;
      const endSecond = await syncing(2);
      await nextTurn();
      endSecond();
      await second;
      expect(await held()).toMatchObject([{ held: 0 }]);
      (await syncing(3))();
      await unit;
      expect(await held()).toMatchObject([{ held: 1 }]);
    });

    it('are invalidated by a concurrent write of another connection', async () => {
      const own = slow.run(W.apart, { id: 'a', value: 1 });
      const end = await syncing(1);
      await elsewhere.run(W.hold, { id: 'a' });
      await nextTurn();
      expect(await held()).toMatchObject([{ held: 0 }]);
      end();
      await own;
      expect(await held()).toMatchObject([{ held: 1 }]);
    });
  });

  it('are invalidated when a part of another row moves to theirs, and when it leaves', async () => {
    await database.run(W.owner, { id: 'a', name: 'a' });
    for (const id of ['a', 'b', 'c']) await database.run(W.add, { id, ownerId: 'a', name: id });
    await database.run(W.part, { id: 'a', tagId: 'b' }).catch(() => {});
    await database.run(W.tag, { id: 'b', name: 'b' });
    await database.run(W.part, { id: 'a', tagId: 'b' });
    const before = await keptIds();
    await expectAlike();
    await database.run(W.movePart, { id: 'b', from: 'a' });
    await expectAlike();
    const after = await keptIds();
    expect(after.map((one, index) => one === before[index])).toEqual([false, false, true]);
  });

  it('survive unrelated writes', async () => {
    for (const id of IDS) {
      await database.run(W.owner, { id, name: id });
      await database.run(W.add, { id, ownerId: id, name: id });
    }
    const reads = new Map(readsOf(kept).map(([key, read, row]) => [key, () => kept.get(key, keep(read), row)]));
    const outlasting = async (write: () => Promise<unknown>) => {
      const before = new Map<string, Rows>();
      for (const [key, get] of reads) before.set(key, await get());
      await write();
      const same: string[] = [];
      for (const [key, get] of reads) if ((await get()) === before.get(key)) same.push(key);
      return same;
    };
    const all = [...reads.keys()];
    const but = (...gone: RegExp[]) => all.filter((key) => !gone.some((one) => one.test(key)));
    expect(await outlasting(() => database.run(W.apart, { id: 'd', value: 1 }))).toEqual(but(/^apart/, /^within/));
    expect(await outlasting(() => database.run(W.hold, { id: 'c' }))).toEqual(
      but(/^thing c/, /^either/, /^another/, /^same name c/, /^several/),
    );
    expect(await outlasting(() => database.run(W.tag, { id: 'x', name: 'x' }))).toEqual(
      but(/^thing /, /^another/, /^several/, /^within/),
    );
    // The trigger updates the owner, whose name most of them read.
    expect(await outlasting(() => database.run(W.add, { id: 'new', ownerId: 'a', name: 'a' }))).toEqual(
      but(/^counted/, /^same/, /^either/, /^another/, /^several/, /^things/),
    );
    expect(await outlasting(() => database.run(W.remove, { id: 'nobody' }))).toEqual(all);
    const takenBack = database.transaction(async (tx) => {
      await tx.run(W.holdAll, {});
      throw new Error('rolled back');
    });
    expect(await outlasting(() => takenBack.catch(() => {}))).toEqual(all);
  });
});
