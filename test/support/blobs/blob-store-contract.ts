import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type BlobListing, BlobMissing, type BlobStore } from '../../../src/storage/blobs/blob-store.ts';

const MIB = 1_048_576;
/** Larger than any store sends in one request. */
const LARGE = 12 * MIB;

const newName = () => randomBytes(16).toString('hex');
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* cut(bytes: Uint8Array, size = 131_088): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
}

async function read(store: BlobStore, name: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of store.get(name)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

async function listed(store: BlobStore): Promise<BlobListing['blobs'][number][]> {
  const all: BlobListing['blobs'][number][] = [];
  let from: string | undefined;
  do {
    const part = await store.list(from);
    all.push(...part.blobs);
    from = part.next;
  } while (from !== undefined);
  return all;
}

const namesIn = async (store: BlobStore) => (await listed(store)).map(({ name }) => name).toSorted();

/**
 * Contract of every blob store. `empty` returns a store without blobs. `arrived` waits until the store has received
 * this many bytes of an unfinished write.
 */
export function blobStoreContract(
  kind: string,
  empty: () => Promise<BlobStore>,
  arrived: (bytes: number) => Promise<void> = async () => {},
): void {
  describe(`blobs in ${kind}`, () => {
    it.each([0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, LARGE + 17])(
      'are read as they were written: %i bytes',
      async (size) => {
        const [store, name, bytes] = [await empty(), newName(), randomBytes(size)];
        await store.put(name, cut(bytes));
        expect(digest(await read(store, name))).toBe(digest(bytes));
      },
    );

    it('fail before the first byte if no blob has the name', async () => {
      await expect(read(await empty(), newName())).rejects.toThrow(BlobMissing);
    });

    it('are gone after their deletion, and a second deletion does nothing', async () => {
      const [store, name] = [await empty(), newName()];
      await store.put(name, cut(Buffer.from('gone')));
      await store.delete(name);
      await store.delete(name);
      await expect(read(store, name)).rejects.toThrow(BlobMissing);
      expect(await listed(store)).toEqual([]);
    });

    it.each([100, LARGE])('leave nothing behind when their source fails after %i bytes', async (size) => {
      const [store, name] = [await empty(), newName()];
      const broken = new Error('of the source');
      async function* source() {
        yield* cut(randomBytes(size));
        throw broken;
      }
      await expect(store.put(name, source())).rejects.toBe(broken);
      await expect(read(store, name)).rejects.toThrow(BlobMissing);
      expect(await listed(store)).toEqual([]);
    });

    it('are listed with the time of their last change', async () => {
      const store = await empty();
      const names = [newName(), newName(), newName()];
      const before = Date.now();
      await Promise.all(names.map((name) => store.put(name, cut(Buffer.from(name)))));
      const after = Date.now();
      expect(await namesIn(store)).toEqual(names.toSorted());
      for (const { modifiedAt } of await listed(store)) {
        // Some stores keep whole seconds.
        expect(modifiedAt).toBeGreaterThan(before - 1_000);
        expect(modifiedAt).toBeLessThanOrEqual(after + 1_000);
      }
    });

    it('are not readable during their upload, but are listed for deletion', async () => {
      const [store, name] = [await empty(), newName()];
      const goOn = Promise.withResolvers<void>();
      async function* source() {
        yield* cut(randomBytes(LARGE));
        await goOn.promise;
        yield Buffer.from('the end');
      }
      const written = store.put(name, source()).then(
        () => 'written',
        () => 'refused',
      );
      await expect.poll(() => listed(store), { timeout: 20_000 }).toHaveLength(1);
      const [half = ''] = await namesIn(store);
      expect(half).not.toBe(name);
      // A part in transit during the deletion may create the blob again.
      await arrived(LARGE);
      await expect(read(store, name)).rejects.toThrow(BlobMissing);
      await store.delete(half);
      expect(await listed(store)).toEqual([]);
      goOn.resolve();
      // The writer gets an error, because the blob is gone.
      expect(await written).toBe('refused');
      expect(await listed(store)).toEqual([]);
    });

    it('may be closed after half of them is read', async () => {
      const [store, name] = [await empty(), newName()];
      await store.put(name, cut(randomBytes(LARGE)));
      for await (const part of store.get(name)) {
        expect(part.length).toBeGreaterThan(0);
        break;
      }
      expect((await read(store, name)).length).toBe(LARGE);
    });
  });
}
