import { AppError } from '../../../lib/errors.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { mountState, nextMountState } from '../../mounts/index.ts';
import type { CrlSettings, RemoteCrl, StoredCrl } from './crl.ts';
import { mergeSettings } from './crl-fields.ts';

type Row = {
  name: string;
  version: number;
  settings: string;
  url: string | null;
  content_id: string;
  fetched_at: number;
  etag: string | null;
  last_modified: string | null;
  failures: number;
  last_error: string | null;
  next_fetch_at: number | null;
};

type Key = { mount_id: string; name: string };
/** Result of a fetch. The update applies only if the CRL still has the old content (optimistic concurrency). */
type Fetched = Key & {
  old_content_id: string;
  content_id: string;
  fetched_at: number;
  etag: string | null;
  last_modified: string | null;
  next_fetch_at: number;
};

const COLUMNS =
  'name, version, settings, url, content_id, fetched_at, etag, last_modified, failures, last_error, next_fetch_at';

const all = sql<{ mount_id: string }, Row>(`SELECT ${COLUMNS} FROM crl WHERE mount_id = :mount_id ORDER BY name`);
const due = sql<{ mount_id: string; now: number }, Row>(
  `SELECT ${COLUMNS} FROM crl WHERE mount_id = :mount_id AND next_fetch_at <= :now ORDER BY next_fetch_at`,
);
const byName = sql<Key, Row>(`SELECT ${COLUMNS} FROM crl WHERE mount_id = :mount_id AND name = :name`);
const names = sql<{ mount_id: string; after: string; most: number }, { name: string }>(
  'SELECT name FROM crl WHERE mount_id = :mount_id AND name > :after ORDER BY name LIMIT :most',
);
const page = sql<{ mount_id: string; after: string; most: number }, Row>(
  `SELECT ${COLUMNS} FROM crl WHERE mount_id = :mount_id AND name > :after ORDER BY name LIMIT :most`,
);
const put = sql<Row & { mount_id: string }>(
  `INSERT INTO crl (mount_id, ${COLUMNS}) VALUES (:mount_id, ${COLUMNS.replace(/\w+/g, ':$&')})
   ON CONFLICT (mount_id, name) DO UPDATE SET version = excluded.version, settings = excluded.settings,
     url = excluded.url, content_id = excluded.content_id, fetched_at = excluded.fetched_at, etag = excluded.etag,
     last_modified = excluded.last_modified, failures = excluded.failures, last_error = excluded.last_error,
     next_fetch_at = excluded.next_fetch_at`,
);
const findContent = sql<{ content_id: string }, { content_id: string }>(
  'SELECT content_id FROM crl_chunk WHERE content_id = :content_id AND number = 0',
);
const remove = sql<Key>('DELETE FROM crl WHERE mount_id = :mount_id AND name = :name');
const claim = sql<Key & { content_id: string; seen: number; until: number }>(
  `UPDATE crl SET next_fetch_at = :until
   WHERE mount_id = :mount_id AND name = :name AND content_id = :content_id AND next_fetch_at = :seen`,
);
const fetched = sql<Fetched>(
  `UPDATE crl SET content_id = :content_id, fetched_at = :fetched_at, etag = :etag, last_modified = :last_modified,
     failures = 0, last_error = NULL, next_fetch_at = :next_fetch_at
   WHERE mount_id = :mount_id AND name = :name AND content_id = :old_content_id AND
     EXISTS (SELECT 1 FROM crl_chunk c WHERE c.content_id = :content_id AND c.number = 0)`,
);
const failed = sql<Key & { content_id: string; failures: number; last_error: string; next_fetch_at: number }>(
  `UPDATE crl SET failures = :failures, last_error = :last_error, next_fetch_at = :next_fetch_at
   WHERE mount_id = :mount_id AND name = :name AND content_id = :content_id`,
);

/** Stores the CRLs of one mount, without their contents. */
export class CrlStore {
  readonly #database: Database;
  readonly #mountId: string;

  constructor(database: Database, mountId: string) {
    this.#database = database;
    this.#mountId = mountId;
  }

  /**
   * Returns the version of the mount. It changes when an administrator writes or removes a CRL or a role on any node,
   * and not when a CRL is refreshed.
   */
  async version(): Promise<number> {
    return (await mountState(this.#database, this.#mountId)).version;
  }

  /** Returns all CRLs in name order. */
  async all(): Promise<StoredCrl[]> {
    return (await this.#database.all(all, { mount_id: this.#mountId })).map(toCrl);
  }

  /** Returns the CRLs whose next fetch is due, the longest overdue first. */
  async due(now: number): Promise<RemoteCrl[]> {
    return (await this.#database.all(due, { mount_id: this.#mountId, now })).map(toCrl).filter(isRemote);
  }

  async find(name: string): Promise<StoredCrl | undefined> {
    const row = await this.#database.one(byName, this.#key(name));
    return row && toCrl(row);
  }

  async names(after: string, most: number): Promise<string[]> {
    return (await this.#database.all(names, { mount_id: this.#mountId, after, most })).map(({ name }) => name);
  }

  /** Returns a page of stored CRLs. */
  async page(after: string, most: number): Promise<StoredCrl[]> {
    return (await this.#database.all(page, { mount_id: this.#mountId, after, most })).map(toCrl);
  }

  /**
   * Stores a CRL under its name. `build` may run more than once.
   * @throws AppError `unavailable` if the content was removed: its process was suspended, and the sweep came first
   */
  put(name: string, build: (stored: StoredCrl | undefined) => Omit<StoredCrl, 'name' | 'version'>): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { version } = await nextMountState(tx, this.#mountId);
      const row = await tx.one(byName, this.#key(name));
      const crl = toRow({ name, version, ...build(row && toCrl(row)) });
      if ((await tx.one(findContent, { content_id: crl.content_id })) === undefined) throw swept();
      await tx.run(put, { mount_id: this.#mountId, ...crl });
    });
  }

  /** Returns false if the CRL did not exist. */
  remove(name: string): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const removed = (await tx.run(remove, this.#key(name))) > 0;
      if (removed) await nextMountState(tx, this.#mountId);
      return removed;
    });
  }

  /** Takes the lease to fetch a CRL. Returns true on one node only; others may try again at `until`. */
  async claim(crl: RemoteCrl, until: number): Promise<boolean> {
    const params = { ...this.#key(crl.name), content_id: crl.contentId, seen: crl.nextFetchAt, until };
    return (await this.#database.run(claim, params)) > 0;
  }

  /**
   * Records a successful fetch. Returns false, and changes nothing, if the CRL was written or removed meanwhile, or if
   * the content was removed.
   */
  async recordFetch(
    crl: StoredCrl,
    {
      contentId,
      fetchedAt,
      validators,
      nextFetchAt,
    }: Pick<StoredCrl, 'contentId' | 'fetchedAt' | 'validators'> & { readonly nextFetchAt: number },
  ): Promise<boolean> {
    const written = await this.#database.run(fetched, {
      ...this.#key(crl.name),
      old_content_id: crl.contentId,
      content_id: contentId,
      fetched_at: fetchedAt,
      etag: validators.etag,
      last_modified: validators.lastModified,
      next_fetch_at: nextFetchAt,
    });
    return written > 0;
  }

  async recordFailure(crl: StoredCrl, failures: number, lastError: string, nextFetchAt: number): Promise<void> {
    const state = { failures, last_error: lastError, next_fetch_at: nextFetchAt };
    await this.#database.run(failed, { ...this.#key(crl.name), content_id: crl.contentId, ...state });
  }

  #key(name: string): Key {
    return { mount_id: this.#mountId, name };
  }
}

const swept = () => new AppError('unavailable', 'The CRL took too long and was not stored. Write it again.');

function toCrl(row: Row): StoredCrl {
  return {
    name: row.name,
    version: row.version,
    settings: mergeSettings(JSON.parse(row.settings) as Partial<CrlSettings>, {}),
    url: row.url,
    contentId: row.content_id,
    fetchedAt: row.fetched_at,
    validators: { etag: row.etag, lastModified: row.last_modified },
    failures: row.failures,
    lastError: row.last_error,
    nextFetchAt: row.next_fetch_at,
  };
}

function isRemote(crl: StoredCrl): crl is RemoteCrl {
  return crl.url !== null && crl.nextFetchAt !== null;
}

function toRow(crl: StoredCrl): Row {
  return {
    name: crl.name,
    version: crl.version,
    settings: JSON.stringify(crl.settings),
    url: crl.url,
    content_id: crl.contentId,
    fetched_at: crl.fetchedAt,
    etag: crl.validators.etag,
    last_modified: crl.validators.lastModified,
    failures: crl.failures,
    last_error: crl.lastError,
    next_fetch_at: crl.nextFetchAt,
  };
}
