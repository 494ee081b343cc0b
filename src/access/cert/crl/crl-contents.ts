import { randomUUID } from 'node:crypto';
import { type ReadList, RevocationList, readList } from '../../../revocation/crl/index.ts';
import type { SignatureRules } from '../../../x509/index.ts';
import type { ContentStore } from './content-store.ts';

/**
 * Bytes of a content in one row: written and read by one statement.
 * @limit a list in one row of the database, bytes -> the next row
 */
export const CRL_CHUNK_BYTES = 262_144;
/** How long a content that no list has is kept: others may still be reading it, or be about to store its list. */
const ORPHAN_MS = 15 * 60_000;

/** A content and the list that is in it. */
export interface StoredContent {
  readonly contentId: string;
  readonly list: RevocationList;
}

/** The contents of revocation lists: read as they come in, kept in the database, read again after a start. */
export class CrlContents {
  readonly #store: ContentStore;
  readonly #rules: SignatureRules;
  /** Since when a content is known to belong to no list. */
  readonly #orphans = new Map<string, number>();

  constructor(store: ContentStore, rules: SignatureRules) {
    this.#store = store;
    this.#rules = rules;
  }

  /**
   * Reads a list and stores it. Nothing stays stored when that fails.
   * @throws ParseError, and whatever the source throws
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

  /** Reads a stored list again. Rejects when its content is not there. */
  async load(contentId: string): Promise<RevocationList> {
    return this.#listOf(contentId, await readList(this.#store.chunks(contentId)));
  }

  remove(contentId: string): Promise<void> {
    return this.#store.remove(contentId);
  }

  /** Removes what has belonged to no list for a while. To be called every now and then. */
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

/** Puts small pieces together into chunks, one after the other in the same memory. */
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
