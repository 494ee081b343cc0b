import { randomUUID } from 'node:crypto';
import { type ReadList, RevocationList, readList } from '../../../revocation/crl/index.ts';
import type { SignatureRules } from '../../../x509/index.ts';
import type { ContentStore } from './content-store.ts';

/**
 * Bytes in one row, read and written by one statement.
 * @limit size of the part of a CRL in one row of the database, bytes -> the next row has the rest
 */
export const CRL_CHUNK_BYTES = 262_144;
/** How long an orphaned content is kept: another request may still read it, or be about to store its CRL. */
const ORPHAN_MS = 15 * 60_000;

/** A stored content with its parsed CRL. */
export interface StoredContent {
  readonly contentId: string;
  readonly list: RevocationList;
}

/** Contents of CRLs: parses them while they arrive, stores them, and loads them again after a restart. */
export class CrlContents {
  readonly #store: ContentStore;
  readonly #rules: SignatureRules;
  /** Time at which each content was first seen without a CRL. */
  readonly #orphans = new Map<string, number>();

  constructor(store: ContentStore, rules: SignatureRules) {
    this.#store = store;
    this.#rules = rules;
  }

  /**
   * Parses a CRL and stores it. Stores nothing if that fails.
   * @throws ParseError, and any error of the source
   */
  async add(source: AsyncIterable<Uint8Array>): Promise<StoredContent> {
    const contentId = randomUUID();
    try {
      const writer = new ChunkWriter(this.#store, contentId);
      const read = await readList(source, (der) => writer.write(der));
      await writer.flush();
      return { contentId, list: this.#listOf(contentId, read) };
    } catch (error) {
      await this.#store.remove(contentId);
      throw error;
    }
  }

  /** Loads a stored CRL. Rejects if its content does not exist. */
  async load(contentId: string): Promise<RevocationList> {
    return this.#listOf(contentId, await readList(this.#store.chunks(contentId)));
  }

  remove(contentId: string): Promise<void> {
    return this.#store.remove(contentId);
  }

  /** Removes contents that have had no CRL for some time. Call it regularly. */
  async sweep(now: number): Promise<void> {
    const orphans = new Set(await this.#store.orphans());
    for (const known of this.#orphans.keys()) if (!orphans.has(known)) this.#orphans.delete(known);
    for (const contentId of orphans) {
      const since = this.#orphans.get(contentId) ?? now;
      this.#orphans.set(contentId, since);
      if (now - since >= ORPHAN_MS) await this.#store.remove(contentId);
    }
  }

  #listOf(contentId: string, read: ReadList): RevocationList {
    return new RevocationList(read, () => this.#store.chunks(contentId), this.#rules);
  }
}

/** Joins small pieces into chunks. Reuses one buffer. */
class ChunkWriter {
  readonly #store: ContentStore;
  readonly #contentId: string;
  readonly #chunk = Buffer.allocUnsafeSlow(CRL_CHUNK_BYTES);
  #size = 0;
  #number = 0;

  constructor(store: ContentStore, contentId: string) {
    this.#store = store;
    this.#contentId = contentId;
  }

  async write(piece: Buffer): Promise<void> {
    for (let start = 0; start < piece.length; ) {
      const taken = piece.copy(this.#chunk, this.#size, start);
      start += taken;
      this.#size += taken;
      if (this.#size === CRL_CHUNK_BYTES) await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    await this.#store.put(this.#contentId, this.#number++, this.#chunk.subarray(0, this.#size));
    this.#size = 0;
  }
}
