import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../../../test/support/databases.ts';
import { openMigrated } from '../../../../test/support/migrated-databases.ts';
import { createRoot } from '../../../pki/index.ts';
import { NO_VALIDATORS } from '../../../revocation/crl/index.ts';
import { sql } from '../../../storage/index.ts';
import { AnchorSet } from '../../../x509/index.ts';
import { nextMountState } from '../../mounts/mount-state.ts';
import { MountStore } from '../../mounts/mount-store.ts';
import { MountTable } from '../../mounts/mount-table.ts';
import { ContentStore } from './content-store.ts';
import { CrlContents } from './crl-contents.ts';
import { mergeSettings } from './crl-fields.ts';
import { CrlRegistry } from './crl-registry.ts';
import { CrlStore } from './crl-store.ts';

/** A store that returns nothing until the test opens its gate. */
class GatedStore extends ContentStore {
  gate: Promise<void> = Promise.resolve();

  override async *chunks(contentId: string): AsyncGenerator<Uint8Array> {
    await this.gate;
    yield* super.chunks(contentId);
  }
}

const damage = sql('DELETE FROM crl_chunk');

describe.each(databaseKinds)('the CRL registry, on %s', (kind) => {
  const root = createRoot();
  let opened: TestDatabase;
  let mountId: string;
  let store: CrlStore;
  let chunks: GatedStore;
  let contents: CrlContents;
  let registry: CrlRegistry;

  beforeEach(async () => {
    opened = await openMigrated(kind, 'access');
    const mounts = new MountTable(new MountStore(opened.database));
    await mounts.ensure('cert', 'cert');
    mountId = (await mounts.all())[0]?.id ?? '';
    store = new CrlStore(opened.database, mountId);
    chunks = new GatedStore(opened.database);
    contents = new CrlContents(chunks, { allowSha1: false });
    registry = new CrlRegistry(store, contents, async () => AnchorSet.fromCertificates([]));
  });
  afterEach(() => opened.close());

  const add = (...revoked: bigint[]) => contents.add(Readable.from([Buffer.from(root.crl({ revoked }).pem)]));
  const write = async (...revoked: bigint[]): Promise<void> => {
    const { contentId } = await add(...revoked);
    const state = { fetchedAt: 0, validators: NO_VALIDATORS, failures: 0, lastError: null };
    await store.put('list', () => ({ ...state, contentId, settings: mergeSettings({}, {}), url: 'x', nextFetchAt: 1 }));
  };
  const fetchAgain = async (...revoked: bigint[]): Promise<void> => {
    const [crl] = await store.due(1);
    const { contentId } = await add(...revoked);
    if (crl) await store.recordFetch(crl, { contentId, fetchedAt: 0, validators: NO_VALIDATORS, nextFetchAt: 1 });
  };
  const entries = async () => (await registry.current()).crls.get('list')?.list.info.entries;
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    chunks.gate = promise;
    return resolve;
  };

  it('never contains a CRL whose content the sweep has removed, because its process was suspended', async () => {
    await write(1n);
    const sweep = async () => {
      for (const now of [0, 3_600_000]) await contents.sweep(now);
    };
    const state = { fetchedAt: 0, validators: NO_VALIDATORS, failures: 0, lastError: null, url: 'x', nextFetchAt: 1 };
    const late = await add(1n, 2n);
    await sweep();
    const put = store.put('list', () => ({ ...state, contentId: late.contentId, settings: mergeSettings({}, {}) }));
    await expect(put).rejects.toMatchObject({ kind: 'unavailable' });
    const [crl] = await store.due(1);
    const fetched = { contentId: late.contentId, fetchedAt: 0, validators: NO_VALIDATORS, nextFetchAt: 1 };
    expect(crl && (await store.recordFetch(crl, fetched))).toBe(false);
    await contents.remove(crl?.contentId ?? '');
    expect(await entries()).toBe(1);
  });

  it('makes logins wait for a CRL that an administrator has written', async () => {
    await write(1n);
    expect(await entries()).toBe(1);
    await write(1n, 2n);
    const open = close();
    const waiting = entries();
    open();
    expect(await waiting).toBe(2);
  });

  it('does not make logins wait for a CRL that was only refreshed', async () => {
    await write(1n);
    expect(await entries()).toBe(1);
    await fetchAgain(1n, 2n);
    const open = close();
    const updating = registry.update();
    expect(await entries()).toBe(1);
    // Until the update ends, readers get the old CRL, even if a role is written meanwhile.
    await opened.database.transaction((tx) => nextMountState(tx, mountId));
    expect(await entries()).toBe(1);
    open();
    await updating;
    expect(await entries()).toBe(2);
  });

  it('refuses all logins while a CRL cannot be loaded, until it is removed', async () => {
    await write(1n);
    await opened.database.run(damage, {});
    await expect(registry.current()).rejects.toThrow('the CRL "list" cannot be loaded');
    await expect(registry.update()).rejects.toThrow('cannot be loaded');
    await store.remove('list');
    expect((await registry.current()).crls.size).toBe(0);
  });
});
