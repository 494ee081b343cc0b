import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyringError } from '../keyring.ts';
import { createKeyringOf } from '../sealing.ts';
import { BlobMissing } from './blob-store.ts';
import { Blobs, sealedBlobKeys } from './blobs.ts';
import { FileBlobs } from './file-blobs.ts';

const key = (byte: number) => new Uint8Array(32).fill(byte);
const keyring = createKeyringOf({ encryption: new Map([[1, key(1)]]), hash: key(9) });
const rotated = createKeyringOf({
  encryption: new Map([
    [1, key(1)],
    [2, key(2)],
  ]),
  hash: key(9),
});
const later = createKeyringOf({ encryption: new Map([[2, key(2)]]), hash: key(9) });

let folder: string;
let store: FileBlobs;
let blobs: Blobs;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-blobs-'));
  store = new FileBlobs(join(folder, 'blobs'));
  blobs = new Blobs(store, keyring);
});
afterEach(() => rm(folder, { recursive: true }));

const options = { scope: 'one', maxBytes: 1000 };
const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
async function text(source: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('blobs', () => {
  it('are read as they were written, and the files show nothing of them', async () => {
    const blob = await blobs.write([Buffer.from('the sta'), Buffer.from('te of things')], options);
    expect(blob).toMatchObject({ size: 19, keyVersion: 1 });
    expect(await text(blobs.read(blob))).toBe('the state of things');
    for (const { parentPath, name } of files()) {
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain('state');
    }
  });

  it('are deduplicated by their content, within one scope only', async () => {
    const write = (content: string, scope: string) => blobs.write([Buffer.from(content)], { ...options, scope });
    const hash = async (content: string, scope: string) =>
      Buffer.from((await write(content, scope)).hash).toString('hex');
    expect(await hash('same', 'one')).toBe(await hash('same', 'one'));
    expect(await hash('same', 'one')).not.toBe(await hash('same', 'two'));
    expect(await hash('same', 'one')).not.toBe(await hash('other', 'one'));
  });

  it('leave nothing behind if they are too large or the source fails', async () => {
    await expect(blobs.write([Buffer.alloc(1001)], options)).rejects.toMatchObject({ kind: 'too-large' });
    async function* broken() {
      yield Buffer.from('half of');
      throw new Error('gone');
    }
    await expect(blobs.write(broken(), options)).rejects.toThrow('gone');
    expect(files()).toEqual([]);
  });

  it('cannot be read with the key of another blob', async () => {
    const [one, other] = [
      await blobs.write([Buffer.from('1')], options),
      await blobs.write([Buffer.from('2')], options),
    ];
    expect(() => blobs.read({ name: one.name, dataKey: one.dataKey.slice(0, -1) })).toThrow(KeyringError);
    expect(() => blobs.read({ name: one.name, dataKey: other.dataKey })).toThrow(KeyringError);
  });

  it('survive the rotation of the keyring, and their keys are re-encrypted with the new one', async () => {
    const blob = await blobs.write([Buffer.from('kept')], options);
    const note = blobs.seal(blob, 'note', Buffer.from('beside'));
    const context = sealedBlobKeys.contextOf(blob.name, 0);
    const sealed = { ...blob, dataKey: rotated.encrypt(rotated.decrypt(blob.dataKey, context), context) };
    const after = new Blobs(store, later);
    expect(await text(after.read(sealed))).toBe('kept');
    expect(Buffer.from(after.open(sealed, 'note', note)).toString()).toBe('beside');
    expect(() => after.read(blob)).toThrow(KeyringError);
  });

  it('encrypt related columns, each for one purpose', async () => {
    const blob = await blobs.write([Buffer.from('kept')], options);
    const note = blobs.seal(blob, 'note', Buffer.from('beside'));
    expect(() => blobs.open(blob, 'other', note)).toThrow(KeyringError);
    const changed = Uint8Array.from(note, (byte, index) => (index === 13 ? byte ^ 1 : byte));
    expect(() => blobs.open(blob, 'note', changed)).toThrow(KeyringError);
  });

  it('are missing after their deletion, and a second deletion does nothing', async () => {
    const blob = await blobs.write([Buffer.from('gone')], options);
    await store.delete(blob.name);
    await store.delete(blob.name);
    await expect(text(blobs.read(blob))).rejects.toThrow(BlobMissing);
  });

  it('are listed in pages, with the time of their last change', async () => {
    const written = await Promise.all([1, 2, 3].map((n) => blobs.write([Buffer.from(String(n))], options)));
    for (const { name } of written) utimesSync(join(folder, 'blobs', name.slice(0, 2), name), 1000, 1000);
    const listed: { name: string; modifiedAt: number }[] = [];
    let from: string | undefined;
    do {
      const part = await store.list(from);
      listed.push(...part.blobs);
      from = part.next;
    } while (from !== undefined);
    expect(listed.map(({ name }) => name).toSorted()).toEqual(written.map(({ name }) => name).toSorted());
    expect(listed.every(({ modifiedAt }) => modifiedAt === 1_000_000)).toBe(true);
  });
});
