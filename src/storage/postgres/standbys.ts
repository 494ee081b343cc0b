/**
 * @limit standbys of the database with their own metrics, furthest behind first, standbys -> the others are only
 * counted
 */
const MOST_STANDBYS = 50;

/**
 * Standbys of a server as the server sees them. A user without pg_monitor (or pg_read_all_stats) sees rows with nulls.
 * A base backup in progress is not a standby.
 */
export const STANDBYS = `WITH own AS (
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn
  )
  SELECT application_name AS name, state, extract(epoch FROM replay_lag)::float8 AS seconds,
    pg_wal_lsn_diff(own.lsn, coalesce(replay_lsn, flush_lsn, sent_lsn))::float8 AS bytes
  FROM pg_stat_replication, own WHERE state IS DISTINCT FROM 'backup'`;

/** A row of the query. */
export interface StandbyRow {
  readonly name: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
  readonly bytes: number | null;
}

/** Replication lag of a standby. */
export interface StandbyLag {
  readonly name: string;
  /** State of the standby: `streaming` or `catchup`. */
  readonly state: string;
  /** As measured by the server; it does not grow while the standby's replay is paused. */
  readonly seconds: number;
  /** Bytes of the WAL that are not applied yet. */
  readonly bytes: number;
}

/** Returns undefined if the user may not see some standbys. */
export function standbyLags(rows: readonly StandbyRow[]): StandbyLag[] | undefined {
  if (rows.length > 0 && rows.every(({ state }) => state === null)) return undefined;
  const lags = rows.flatMap(({ name, state, seconds, bytes }) =>
    // The server reports the last measured lag for a while after everything was applied.
    state === null ? [] : [{ name: name ?? '', state, seconds: bytes === 0 ? 0 : (seconds ?? 0), bytes: bytes ?? 0 }],
  );
  return lags.toSorted((a, b) => b.bytes - a.bytes).slice(0, MOST_STANDBYS);
}
