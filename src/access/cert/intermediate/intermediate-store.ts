import { type Database, sql, type Transaction } from '../../../storage/index.ts';
import type { Certificate } from '../../../x509/index.ts';
import { nextIntermediates, stateOfIntermediates } from '../../mounts/index.ts';

/**
 * Maximum number of stored certificates of one mount. Above it, expired ones are removed first, then the least
 * recently used.
 * @limit cached intermediates of a mount, certificates -> the least recently used one is removed and must be
 * presented again
 */
export const MAX_KEPT_INTERMEDIATES = 2000;
/** Number of certificates in one query. */
const PAGE = 100;

interface Row {
  readonly fingerprint: string;
  readonly certificate: Uint8Array;
  readonly used_at: number;
}

type Key = { mount_id: string; fingerprint: string };

const fingerprints = sql<{ mount_id: string }, { fingerprint: string }>(
  'SELECT fingerprint FROM intermediate WHERE mount_id = :mount_id',
);
const since = sql<{ mount_id: string; version: number; after: string; most: number }, Row>(
  `SELECT fingerprint, certificate, used_at FROM intermediate
   WHERE mount_id = :mount_id AND version > :version AND fingerprint > :after ORDER BY fingerprint LIMIT :most`,
);
const insert = sql<Key & { version: number; certificate: Uint8Array; expires_at: number; used_at: number }>(
  `INSERT INTO intermediate (mount_id, fingerprint, version, certificate, expires_at, used_at)
   VALUES (:mount_id, :fingerprint, :version, :certificate, :expires_at, :used_at)
   ON CONFLICT (mount_id, fingerprint) DO NOTHING`,
);
const count = sql<{ mount_id: string }, { count: number }>(
  'SELECT count(*) AS count FROM intermediate WHERE mount_id = :mount_id',
);
const removeOldest = sql<{ mount_id: string; now: number; most: number }>(
  `DELETE FROM intermediate WHERE mount_id = :mount_id AND fingerprint IN (
     SELECT fingerprint FROM intermediate WHERE mount_id = :mount_id
     ORDER BY CASE WHEN expires_at < :now THEN 0 ELSE 1 END, used_at, fingerprint LIMIT :most)`,
);
const remove = sql<Key>('DELETE FROM intermediate WHERE mount_id = :mount_id AND fingerprint = :fingerprint');
const touch = sql<Key & { now: number }>(
  `UPDATE intermediate SET used_at = :now
   WHERE mount_id = :mount_id AND fingerprint = :fingerprint AND used_at < :now`,
);

/** A stored certificate. */
export interface KeptIntermediate {
  readonly fingerprint: string;
  readonly der: Uint8Array;
  /** Last use, milliseconds since 1970, with a resolution of one day. */
  readonly usedAt: number;
}

/** Stores the proven intermediates of one mount. They are public, so they are not encrypted. */
export class IntermediateStore {
  readonly #database: Database;
  readonly #mountId: string;
  readonly #most: number;

  /** @param most maximum number of stored certificates */
  constructor(database: Database, mountId: string, most: number) {
    this.#database = database;
    this.#mountId = mountId;
    this.#most = most;
  }

  /** Returns the number of changes on all nodes. Undefined if the mount is gone. */
  version(): Promise<number | undefined> {
    return stateOfIntermediates(this.#database, this.#mountId);
  }

  async fingerprints(): Promise<Set<string>> {
    const rows = await this.#database.all(fingerprints, { mount_id: this.#mountId });
    return new Set(rows.map(({ fingerprint }) => fingerprint));
  }

  /** Yields the certificates added after this version, in pages. */
  async *addedSince(version: number): AsyncGenerator<readonly KeptIntermediate[]> {
    for (let after = ''; ; ) {
      const rows = await this.#database.all(since, { mount_id: this.#mountId, version, after, most: PAGE });
      yield rows.map((row) => ({ fingerprint: row.fingerprint, der: row.certificate, usedAt: row.used_at }));
      const last = rows.at(-1);
      if (rows.length < PAGE || !last) return;
      after = last.fingerprint;
    }
  }

  /**
   * Stores certificates. Returns the version that contains only this change. Returns undefined if older certificates
   * were removed too, or if the mount is gone.
   * @param now milliseconds since 1970
   */
  keep(certificates: readonly Certificate[], now: number): Promise<number | undefined> {
    return this.#change(async (tx, version) => {
      for (const { fingerprint, der, notAfter } of certificates) {
        const key = { mount_id: this.#mountId, fingerprint };
        await tx.run(insert, { ...key, version, certificate: der, expires_at: notAfter, used_at: now });
      }
      const kept = Number((await tx.one(count, { mount_id: this.#mountId }))?.count);
      if (kept <= this.#most) return version;
      await tx.run(removeOldest, { mount_id: this.#mountId, now, most: kept - this.#most });
      return undefined;
    });
  }

  async remove(fingerprintsToRemove: readonly string[]): Promise<void> {
    await this.#change(async (tx) => {
      for (const fingerprint of fingerprintsToRemove) await tx.run(remove, { mount_id: this.#mountId, fingerprint });
    });
  }

  /** Records a use, which decides what is removed first. Other nodes need not know, so the version does not change. */
  async touch(fingerprint: string, now: number): Promise<void> {
    await this.#database.run(touch, { mount_id: this.#mountId, fingerprint, now });
  }

  /** Runs a change under the next version. Does nothing if the mount is disabled. */
  #change<T>(work: (tx: Transaction, version: number) => Promise<T>): Promise<T | undefined> {
    return this.#database.transaction(async (tx) => {
      const version = await nextIntermediates(tx, this.#mountId);
      return version === undefined ? undefined : work(tx, version);
    });
  }
}
