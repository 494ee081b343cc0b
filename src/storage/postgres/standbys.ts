/** @limit standbys of the database that are told of, those that are furthest behind, standbys -> the others are counted alone */
const MOST_STANDBYS = 50;

/**
 * Those that follow a server, as it sees them; without pg_monitor (or pg_read_all_stats) a user sees that they are there, and nulls.
 * One that only takes a base backup follows nothing.
 */
export const STANDBYS = `WITH own AS (
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn
  )
  SELECT application_name AS name, state, extract(epoch FROM replay_lag)::float8 AS seconds,
    pg_wal_lsn_diff(own.lsn, coalesce(replay_lsn, flush_lsn, sent_lsn))::float8 AS bytes
  FROM pg_stat_replication, own WHERE state IS DISTINCT FROM 'backup'`;

/** A row of it. */
export interface StandbyRow {
  readonly name: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
  readonly bytes: number | null;
}

/** How far a standby is behind. */
export interface StandbyLag {
  readonly name: string;
  /** `streaming`, unless it is about to catch up. */
  readonly state: string;
  /** As the server measures it: for one that has stopped to apply what it gets this stands still too. */
  readonly seconds: number;
  /** Of the log, not applied yet. */
  readonly bytes: number;
}

/** Undefined where there are some that our user may not see. */
export function standbyLags(rows: readonly StandbyRow[]): StandbyLag[] | undefined {
  if (rows.length > 0 && rows.every(({ state }) => state === null)) return undefined;
  const lags = rows.flatMap(({ name, state, seconds, bytes }) =>
    // What was measured last is told for a while after all was applied.
    state === null ? [] : [{ name: name ?? '', state, seconds: bytes === 0 ? 0 : (seconds ?? 0), bytes: bytes ?? 0 }],
  );
  return lags.toSorted((a, b) => b.bytes - a.bytes).slice(0, MOST_STANDBYS);
}
