import { type Database, sql } from '../../../storage/index.ts';
import { crlTimes, ParseError } from '../../../x509/index.ts';
import type { CrlSettings } from './crl.ts';

/** Properties of a stored CRL that do not need its whole content. Times are milliseconds since 1970. */
interface Row {
  readonly mount: string;
  readonly name: string;
  /** Null: the CRL was uploaded. */
  readonly url: string | null;
  readonly fetchedAt: number;
  readonly failures: number;
  readonly lastError: string | null;
  readonly settings: string;
  readonly head: Uint8Array | null;
}

const all = sql<Record<string, never>, Row>(
  `SELECT m.path AS mount, c.name, c.url, c.fetched_at AS "fetchedAt", c.failures, c.last_error AS "lastError", c.settings, substr(h.bytes, 1, 32768) AS head
   FROM crl c JOIN mount m ON m.id = c.mount_id AND m.removed_at IS NULL
   LEFT JOIN crl_chunk h ON h.content_id = c.content_id AND h.number = 0
   ORDER BY m.path, c.name`,
);

/** Returns properties of every CRL of every mount, by mount and name, for `lockkeeper diagnose`. */
export async function crlFacts(database: Database) {
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
