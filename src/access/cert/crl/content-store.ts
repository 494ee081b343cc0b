import { type Database, sql } from '../../../storage/index.ts';

type ChunkKey = { content_id: string; number: number };

const insert = sql<ChunkKey & { bytes: Uint8Array }>(
  'INSERT INTO crl_chunk (content_id, number, bytes) VALUES (:content_id, :number, :bytes)',
);
const chunk = sql<ChunkKey, { bytes: Uint8Array }>(
  'SELECT bytes FROM crl_chunk WHERE content_id = :content_id AND number = :number',
);
const numbers = sql<{ content_id: string }, { number: number }>(
  'SELECT number FROM crl_chunk WHERE content_id = :content_id ORDER BY number',
);
const remove = sql<ChunkKey>(
  `DELETE FROM crl_chunk WHERE content_id = :content_id AND number = :number
     AND content_id NOT IN (SELECT content_id FROM crl)`,
);
const orphans = sql<Record<string, never>, { content_id: string }>(
  'SELECT DISTINCT content_id FROM crl_chunk WHERE content_id NOT IN (SELECT content_id FROM crl)',
);

/** Stores the bytes of CRLs in chunks. Each chunk is a statement of its own, so that none delays other requests. */
export class ContentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(contentId: string, number: number, bytes: Uint8Array): Promise<void> {
    await this.#database.run(insert, { content_id: contentId, number, bytes });
  }

  /** Yields the chunks in order. Yields none if the content does not exist. */
  async *chunks(contentId: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const row = await this.#database.one(chunk, { content_id: contentId, number });
      if (!row) return;
      yield row.bytes;
    }
  }

  /**
   * Removes a content that belongs to no CRL, and does nothing to another. The first chunk goes first: while it exists,
   * the content is complete and may become that of a CRL (`CrlStore`).
   */
  async remove(contentId: string): Promise<void> {
    for (const { number } of await this.#database.all(numbers, { content_id: contentId })) {
      await this.#database.run(remove, { content_id: contentId, number });
    }
  }

  /** Returns contents that belong to no CRL: replaced, removed, or still being written. */
  async orphans(): Promise<string[]> {
    return (await this.#database.all(orphans, {})).map((row) => row.content_id);
  }
}
