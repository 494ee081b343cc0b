import { describe, expect, it } from 'vitest';
import { databaseKinds, openTestDatabase } from '../../test/support/databases.ts';
import { type Database, sql } from './database.ts';
import { countSealed, Resealing } from './resealing.ts';
import { migrate } from './schema/migrate.ts';
import type { SealedColumn } from './sealed-column.ts';
import { sealedTable } from './sealed-table.ts';
import { createKeyringOf } from './sealing.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const keyringOf = (...versions: number[]) =>
  createKeyringOf({ encryption: new Map(versions.map((version) => [version, key(version)])), hash: key(9) });

const NOTES: SealedColumn = {
  table: 'note',
  key: ['id'],
  column: 'value',
  boundTo: [],
  contextOf: (id) => `note/${id}`,
};
const PARTS: SealedColumn = {
  ...{ table: 'part', key: ['id', 'first'], column: 'content', versionColumn: 'sealed_by' },
  boundTo: [],
  contextOf: (id, first) => `part/${id}/${first}`,
};
const columns = [NOTES, PARTS];

const insertNote = sql<{ id: string; value: Uint8Array | null }>('INSERT INTO note (id, value) VALUES (:id, :value)');
const insertPart = sql<{ id: string; first: number; content: Uint8Array }>(
  'INSERT INTO part (id, first, content, sealed_by) VALUES (:id, :first, :content, 1)',
);
const notes = sql<Record<string, never>, { id: string; value: Uint8Array | null }>('SELECT id, value FROM note');
const parts = sql<Record<string, never>, { id: string; first: number; content: Uint8Array; sealed_by: number }>(
  'SELECT id, first, content, sealed_by FROM part ORDER BY id, first',
);
const fail = (error: unknown) => {
  throw error;
};

async function withTables(database: Database): Promise<void> {
  await migrate(database, 'resealing', [
    {
      name: '0001-tables',
      statements: ({ text, integer, blob, tableOptions }) => [
        `CREATE TABLE note (id ${text} PRIMARY KEY, value ${blob}) ${tableOptions}`,
        `CREATE TABLE part (id ${text} NOT NULL, first ${integer} NOT NULL, content ${blob} NOT NULL,
          sealed_by ${integer} NOT NULL, PRIMARY KEY (id, first)) ${tableOptions}`,
      ],
    },
  ]);
}

describe.each(databaseKinds)('re-encryption on %s', (kind) => {
  const onTables = (name: string, work: (database: Database) => Promise<void>) =>
    it(name, async () => {
      const { database, close } = await openTestDatabase(kind);
      await withTables(database);
      await work(database);
      await close();
    });
  const old = keyringOf(1);
  const both = keyringOf(1, 2);
  const bytes = (text: string) => Buffer.from(text);
  const note = (database: Database, id: string, keyring = old) =>
    database.run(insertNote, { id, value: keyring.encrypt(bytes(`of ${id}`), `note/${id}`) });
  const counts = async (database: Database) =>
    (await countSealed([{ database, columns }]))
      .map(({ column, version, values }) => `${column} ${version}: ${values}`)
      .toSorted();

  onTables('moves every value to the new key in bounded steps, and changes nothing else', async (database) => {
    const ids = Array.from({ length: 450 }, (_, n) => `note-${n}`);
    await Promise.all(ids.map((id) => note(database, id)));
    await database.run(insertNote, { id: 'empty', value: null });
    for (const [id, first] of [
      ['a', 0],
      ['a', 70_000],
      ['b', 5],
    ] as const)
      await database.run(insertPart, { id, first, content: old.encrypt(bytes('log'), `part/${id}/${first}`) });
    expect(await counts(database)).toEqual(['note.value 1: 450', 'part.content 1: 3']);

    const resealing = new Resealing([{ database, columns }], both, fail);
    expect(await resealing.step()).toBe(true);
    expect(await counts(database)).toEqual(['note.value 1: 250', 'note.value 2: 200', 'part.content 1: 3']);
    while (await resealing.step());
    expect(await counts(database)).toEqual(['note.value 2: 450', 'part.content 2: 3']);

    const after = keyringOf(2);
    for (const { id, value } of await database.all(notes, {})) {
      if (id === 'empty') expect(value).toBeNull();
      else expect(Buffer.from(after.decrypt(value ?? bytes(''), `note/${id}`)).toString()).toBe(`of ${id}`);
    }
    for (const { id, first, content, sealed_by } of await database.all(parts, {})) {
      expect(Buffer.from(after.decrypt(content, `part/${id}/${first}`)).toString()).toBe('log');
      expect(sealed_by).toBe(2);
    }
  });

  onTables(
    'finds values in the next pass that another node has encrypted with the old key meanwhile',
    async (database) => {
      const resealing = new Resealing([{ database, columns }], both, fail);
      while (await resealing.step());
      await note(database, 'late');
      while (await resealing.step());
      expect(await counts(database)).toEqual(['note.value 2: 1']);
    },
  );

  onTables('never overwrites a concurrent write', async (database) => {
    await note(database, 'one');
    const table = sealedTable(NOTES);
    const [row] = await table.page(database, { text: '', number: -1 }, 2, 10);
    if (row === undefined) throw new Error('nothing is there');
    const read = (await table.value(database, row)) ?? bytes('');
    const written = both.encrypt(bytes('another'), 'note/one');
    expect(await table.replace(database, row, read, written)).toBe(true);
    expect(await table.replace(database, row, read, both.encrypt(bytes('of one'), 'note/one'))).toBe(false);
    expect(await table.value(database, row)).toEqual(written);
  });

  onTables('continues after values that cannot be decrypted, and reports them once', async (database) => {
    await note(database, 'a', keyringOf(7));
    await note(database, 'b', keyringOf(7));
    await note(database, 'c');
    const told: unknown[] = [];
    const resealing = new Resealing([{ database, columns }], both, (error) => told.push(error));
    while (await resealing.step());
    expect(told.map(String)).toEqual(['KeyringError: the keyring has no encryption key 7']);
    expect(await counts(database)).toEqual(['note.value 2: 1', 'note.value 7: 2']);
  });

  onTables('does nothing while there is only one key', async (database) => {
    await note(database, 'one');
    expect(await new Resealing([{ database, columns }], old, fail).step()).toBe(false);
    expect(await counts(database)).toEqual(['note.value 1: 1']);
  });
});
