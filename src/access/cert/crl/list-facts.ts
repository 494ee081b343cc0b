import { type Database, sql } from '../../../storage/index.ts';
import { crlTimes, ParseError } from '../../../x509/index.ts';
import type { CrlSettings } from './crl.ts';

/** What is known of a stored list without reading all of it. Times are milliseconds. */
export interface CrlFacts {
  /** The path of its mount. */
  readonly mount: string;
  readonly name: string;
  /** Null for one that was uploaded. */
  readonly url: string | null;
  readonly fetchedAt: number;
  readonly nextUpdate: number | undefined;
  readonly failures: number;
  readonly lastError: string | null;
  readonly refusesStale: boolean;
}

type Row = Omit<CrlFacts, 'nextUpdate' | 'refusesStale'> & { settings: string; head: Uint8Array | null };

const all = sql<Record<string, never>, Row>(
  `SELECT m.path AS mount, c.name, c.url, c.fetched_at AS "fetchedAt", c.failures, c.last_error AS "lastError", c.settings, substr(h.bytes, 1, 32768) AS head
   FROM crl c JOIN mount m ON m.id = c.mount_id AND m.removed_at IS NULL
   LEFT JOIN crl_chunk h ON h.content_id = c.content_id AND h.number = 0
   ORDER BY m.path, c.name`,
);

/** Of every list of every mount, by mount and name. */
export async function crlFacts(database: Database): Promise<readonly CrlFacts[]> {
  return (await database.all(all, {})).map(({ head, settings, ...row }) => ({
    ...row,
    nextUpdate: head === null ? undefined : nextUpdateOf(head),
    refusesStale: (JSON.parse(settings) as CrlSettings).on_stale === 'refuse',
  }));
}

function nextUpdateOf(head: Uint8Array): number | undefined {
  try {
    return crlTimes(head).nextUpdate;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
