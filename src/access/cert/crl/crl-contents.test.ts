import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { createRoot } from '../../../pki/index.ts';
import { serialOf } from '../../../revocation/crl/index.ts';
import { Certificate, ParseError } from '../../../x509/index.ts';
import { ContentStore } from './content-store.ts';
import { CRL_CHUNK_BYTES, CrlContents } from './crl-contents.ts';

const MINUTE = 60_000;

describe.each(databaseKinds)('CRL contents, on %s', (kind) => {
  const root = createRoot();
  // The CRL is longer than one chunk.
  const { pem } = root.crl({ revoked: Array.from({ length: 12_000 }, (_, i) => 2n ** 70n + BigInt(i)) });
  const listed = serialOf(String(2n ** 70n + 11_999n)) ?? Buffer.alloc(0);
  let opened: TestDatabase;
  let store: ContentStore;
  let contents: CrlContents;

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    store = new ContentStore(opened.database);
    contents = new CrlContents(store, { allowSha1: false });
  });
  afterEach(() => opened.close());

  it('are parsed while they arrive, and from the database after a restart', async () => {
    const { contentId, list } = await contents.add(Readable.from([Buffer.from(pem)]));
    const again = await new CrlContents(store, { allowSha1: false }).load(contentId);
    for (const one of [list, again]) {
      expect(one.info.entries).toBe(12_000);
      expect(one.serials.find(listed)).toBeDefined();
      expect(await one.signatureFault(Certificate.parse(root.der))).toBeUndefined();
    }
    let chunks = 0;
    for await (const chunk of store.chunks(contentId)) {
      chunks++;
      expect(chunk.length).toBeLessThanOrEqual(CRL_CHUNK_BYTES);
    }
    expect(chunks).toBeGreaterThan(1);
  });

  it('are not stored if they cannot be parsed', async () => {
    await expect(contents.add(Readable.from([Buffer.from(pem.slice(0, -100))]))).rejects.toThrow(ParseError);
    expect(await store.orphans()).toEqual([]);
  });

  it('are gone after their removal', async () => {
    const { contentId } = await contents.add(Readable.from([Buffer.from(pem)]));
    await contents.remove(contentId);
    await expect(contents.load(contentId)).rejects.toThrow();
  });

  it('are removed by the sweep after a quarter of an hour without a CRL', async () => {
    const { contentId } = await contents.add(Readable.from([Buffer.from(pem)]));
    await contents.sweep(0);
    await contents.sweep(14 * MINUTE);
    expect(await store.orphans()).toEqual([contentId]);
    await contents.sweep(15 * MINUTE);
    expect(await store.orphans()).toEqual([]);
  });
});
