import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addKey,
  Blobs,
  createKeyring,
  FileBlobs,
  type Keyring,
  KeyringError,
  loadSqlite,
  openKeyring,
  removeKey,
  type SealedColumn,
  snapshotOfSqlite,
} from '../storage/index.ts';
import { createBackup } from './create.ts';
import { openEnvelope, sealed } from './format/envelope.ts';
import { bytesFrame, DamagedBackup, recordFrame } from './format/frames.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-backup-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TABLES = `
  CREATE TABLE schema_migration (migration_set TEXT NOT NULL, name TEXT NOT NULL) STRICT;
  CREATE TABLE blob (name TEXT PRIMARY KEY, data_key BLOB NOT NULL) STRICT;
  CREATE TABLE secret (id TEXT PRIMARY KEY, value BLOB, touched INTEGER NOT NULL) STRICT;
  CREATE TABLE of_minutes (id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE told (id TEXT) STRICT;
  CREATE TRIGGER tell AFTER INSERT ON secret FOR EACH ROW BEGIN INSERT INTO told (id) VALUES (NEW.id); END`;
const columns: SealedColumn[] = [
  { table: 'secret', key: ['id'], column: 'value', boundTo: [], contextOf: (id) => `secret/${id}` },
  { table: 'blob', key: ['name'], column: 'data_key', boundTo: [], contextOf: (name) => `blob/${name}` },
];
const TEXT = 'ünïcode, "quotes"\n and a nul \u0000';

let keyring: Keyring;
let store: FileBlobs;
let backup: Buffer;
let names: string[];
const original = join(folder, 'original.db');

/** Yields the bytes in parts of the size in which a disk returns them. */
async function* inParts(bytes: Uint8Array, size = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function gathered(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(Uint8Array.from(part));
  return Buffer.concat(parts);
}

async function make(id = 'backup-1', named = true): Promise<Buffer> {
  const snapshots = [snapshotOfSqlite(original)];
  const leftOut = new Set(['of_minutes']);
  const source = { dialect: 'sqlite', snapshots, leftOut, blobs: store, isNamed: async () => named } as const;
  const options = { id, keyring, version: '1.2.3', now: new Date(0) };
  return gathered(createBackup(source, options).content);
}

beforeAll(async () => {
  keyring = await createKeyring({ file: join(folder, 'keyring.json') });
  store = new FileBlobs(join(folder, 'blobs'));
  const database = new DatabaseSync(original);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(TABLES);
  database.exec(
    "INSERT INTO schema_migration VALUES ('a', '0002'), ('a', '0001'); INSERT INTO of_minutes VALUES ('x')",
  );
  const blobs = new Blobs(store, keyring);
  const written = [
    await blobs.write([Buffer.alloc(300_000, 'state')], { scope: 'w', maxBytes: 1e6 }),
    await blobs.write([], { scope: 'w', maxBytes: 1 }),
  ];
  names = written.map(({ name }) => name);
  for (const { name, dataKey } of written) database.prepare('INSERT INTO blob VALUES (?, ?)').run(name, dataKey);
  const insert = database.prepare('INSERT INTO secret VALUES (?, ?, 7)');
  for (let n = 0; n < 600; n++) insert.run(`s${n}`, keyring.encrypt(Buffer.from(TEXT), `secret/s${n}`));
  insert.run(TEXT, null);
  database.exec('DELETE FROM told');
  database.close();
  backup = await make();
});

const verify = async (bytes: Uint8Array, by = keyring, columnsOf = columns) => {
  const failures: string[] = [];
  const report = (failure: string) => failures.push(failure);
  const options = { keyring: by, columns: columnsOf, contentColumns: [], report };
  return { ...(await verifyBackup(inParts(bytes), options)), failures };
};

let targets = 0;
/** Restores into an empty database with the same tables, and returns its rows afterwards. */
async function restore(bytes: Uint8Array, blobs = new FileBlobs(join(folder, `blobs-${++targets}`))) {
  const file = join(folder, `restored-${++targets}.db`);
  const database = new DatabaseSync(file);
  database.exec(TABLES);
  database.exec("INSERT INTO secret VALUES ('of a migration', NULL, 1)");
  database.close();
  const target = { databases: async () => [loadSqlite(file)], blobs, counters: { secret: 'touched' } };
  const restoring = restoreBackup(inParts(bytes, 70_000), keyring, target);
  const result = await restoring.catch((error: Error) => error);
  const restored = new DatabaseSync(file);
  const rows = (table: string) => restored.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
  const all = { secret: rows('secret'), blob: rows('blob'), told: rows('told'), ofMinutes: rows('of_minutes') };
  restored.close();
  return { result, ...all, blobs };
}

describe('a backup', () => {
  it('has all rows and blobs, and verifies', async () => {
    const verified = await verify(backup);
    expect(verified).toMatchObject({ rows: 603, sealed: 602, blobs: 2, failed: 0, failures: [] });
    expect(verified.header).toMatchObject({ id: 'backup-1', version: '1.2.3', created_at: '1970-01-01T00:00:00.000Z' });
  });

  it('restores the same data: rows fire no triggers, and counters of changes restart', async () => {
    const { result, secret, blob, told, ofMinutes, blobs } = await restore(backup);
    expect(result).toMatchObject({ rows: 603, blobs: 2, present: 0, missing: [], newer: 0 });
    const before = new DatabaseSync(original);
    const expected = before.prepare('SELECT id, value, 0 AS touched FROM secret ORDER BY 1').all();
    expect(secret).toEqual(expected);
    expect(blob).toEqual(before.prepare('SELECT * FROM blob ORDER BY 1').all());
    expect([told, ofMinutes]).toEqual([[], []]);
    before.close();
    for (const name of names) expect(await gathered(blobs.get(name))).toEqual(await gathered(store.get(name)));
  });

  it('is identified by its first bytes, which contain no secret', async () => {
    expect(backup.toString('latin1', 0, 18)).toBe('LOCKKEEPER BACKUP\n');
    const { header } = await openEnvelope(inParts(backup, 1));
    expect(header).toMatchObject({ format: 1, fingerprint: keyring.fingerprint, key: 1 });
  });
});

describe('a damaged backup', () => {
  it('is refused whichever byte was changed, and nothing is restored', async () => {
    const head = backup.indexOf('\n', 18);
    const offsets = new Set([...Array(head + 40).keys(), backup.length - 1]);
    for (let at = head; at < backup.length; at += 9_001) offsets.add(at);
    for (const at of offsets) {
      const changed = Buffer.from(backup);
      changed.writeUInt8((backup[at] as number) ^ 1, at);
      const error = await verify(changed).catch((caught: Error) => caught);
      expect(error, `byte ${at}`).toSatisfy(
        (caught) => caught instanceof DamagedBackup || caught instanceof KeyringError,
      );
    }
    const changed = Buffer.from(backup);
    changed.writeUInt8((backup[backup.length - 20] as number) ^ 1, backup.length - 20);
    const { result, secret } = await restore(changed);
    expect(result).toBeInstanceOf(DamagedBackup);
    expect(secret).toHaveLength(1);
  });

  it('is refused wherever it was cut off', async () => {
    for (const length of [0, 5, 18, 100, 600, 131_000, 200_000, backup.length - 1]) {
      await expect(verify(backup.subarray(0, length)), `${length} bytes`).rejects.toThrow(DamagedBackup);
    }
  });

  it('is refused with the header of another backup, and with trailing bytes', async () => {
    const other = await make('backup-2');
    const [ofOther, ofThis] = [other, backup].map((bytes) => bytes.indexOf('\n', 18) + 1);
    const swapped = Buffer.concat([other.subarray(0, ofOther), backup.subarray(ofThis)]);
    await expect(verify(swapped)).rejects.toThrow('the backup was changed or truncated after 0 bytes');
    await expect(verify(Buffer.concat([backup, Buffer.from('x')]))).rejects.toThrow(DamagedBackup);
  });

  it('is refused with a reason: another keyring, a missing key, a newer format, or not a backup', async () => {
    const other = await createKeyring({ file: join(folder, 'other.json') });
    await expect(verify(backup, other)).rejects.toThrow('the backup belongs to another keyring');
    const file = join(folder, 'pruned.json');
    copyFileSync(join(folder, 'keyring.json'), file);
    await addKey({ file }, 0);
    await removeKey({ file }, 1);
    const without = await openKeyring({ file });
    await expect(verify(backup, without)).rejects.toThrow(
      'key 1 of the keyring encrypted the backup, and is no longer in it',
    );
    const newer = Buffer.from(backup.toString('latin1').replace('"format":1', '"format":2'), 'latin1');
    await expect(verify(newer)).rejects.toThrow(
      'the backup has the format 2, which this version does not know: use a newer version',
    );
    await expect(verify(Buffer.from('PK\u0003\u0004 a zip'))).rejects.toThrow('this is not a backup');
    const endless = Buffer.concat([backup.subarray(0, 18), Buffer.alloc(100_000, 'a')]);
    await expect(verify(endless)).rejects.toThrow('the backup has a header that cannot be read');
  });
});

describe('a backup written by an attacker with the keys', () => {
  it('names no file outside of the store', async () => {
    async function* content() {
      yield recordFrame({ kind: 'manifest', id: 'x', dialect: 'sqlite', schema: {}, tables: [] });
      yield recordFrame({ kind: 'blob', name: '../../outside' });
      yield bytesFrame(Buffer.from('hello'));
      yield recordFrame({ kind: 'end', rows: {}, blobs: 1, missing: [], removed: [] });
    }
    const header = { id: 'x', created_at: new Date(0).toISOString(), version: '1.2.3' };
    const made = await gathered(sealed(header, keyring, content()));
    const { result } = await restore(made);
    expect(result).toEqual(new DamagedBackup('the backup has a blob with an invalid name'));
  });
});

describe('a backup of a damaged database', () => {
  it('verification names each value that cannot be decrypted', async () => {
    const wrong: SealedColumn[] = [
      { ...(columns[0] as SealedColumn), contextOf: (id) => (id === 's7' ? 'else' : `secret/${id}`) },
    ];
    const { failed, failures } = await verify(backup, keyring, wrong);
    expect([failed, failures]).toEqual([1, [expect.stringMatching(/^secret.value of s7: /)]]);
  });

  it('verification reports blobs that are missing or damaged in the store, and the rest is included', async () => {
    const kept = store;
    const [first = '', second = ''] = names;
    class Damaged extends FileBlobs {
      override async *get(name: string): AsyncGenerator<Uint8Array> {
        if (name === first) yield Buffer.from('LKB1 but nothing of ours, and long enough');
        else yield* super.get('00000000000000000000000000000000');
      }
    }
    store = new Damaged(join(folder, 'blobs'));
    const [damaged, removed] = [await make(), await make('backup-3', false)];
    store = kept;
    const { failures } = await verify(damaged);
    expect(failures).toEqual([
      expect.stringMatching(`blob ${first}: an encrypted blob was changed`),
      `blob ${second}: it was missing from the store when the backup was created`,
    ]);
    // Its row was about to be deleted.
    expect((await verify(removed)).failures).toHaveLength(1);
    expect((await restore(damaged)).result).toMatchObject({ blobs: 1, missing: [second] });
  });

  it('existing blobs are read, and only damaged ones are replaced', async () => {
    const { blobs } = await restore(backup);
    const [first = '', second = ''] = names;
    await blobs.delete(first);
    await blobs.put(first, inParts(Buffer.from('LKB1 is damaged, and no content of ours any more')));
    await blobs.put('f'.repeat(32), inParts(Buffer.from('newer')));
    const { result } = await restore(backup, blobs);
    expect(result).toMatchObject({ blobs: 1, present: 1, newer: 1 });
    expect(await gathered(blobs.get(first))).toEqual(await gathered(store.get(first)));
    expect(await gathered(blobs.get(second))).toEqual(await gathered(store.get(second)));
  });

  it('a table that this version does not know is refused', async () => {
    const target = { databases: async () => [], blobs: store, counters: {} };
    await expect(restoreBackup(inParts(backup), keyring, target)).rejects.toThrow(
      'has a table blob that this version does not know',
    );
  });
});
