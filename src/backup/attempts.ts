import type { Clock } from '../lib/clock.ts';
import { type Database, type Queries, sql } from '../storage/index.ts';

/**
 * Lifetime of a backup without a heartbeat, milliseconds, and the interval of heartbeats.
 * @limit time without progress after which a backup counts as failed, ms -> the backup has failed, and blobs are
 * deleted again
 */
const LIFE = 300_000;
const SIGN_EVERY = 30_000;
/** Maximum clock skew, milliseconds. A later entry was written with a wrong clock and would delay the next backup. */
const APART = 86_400_000;
/** Number of rows kept in addition to the last complete backup. */
const KEPT = 100;

/** A complete backup. */
interface Success {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly bytes: number;
  readonly missing: number;
}

/** State of the backups in the database, the same on every node. Times are milliseconds since 1970. */
export interface LastOutcomes {
  /** The last complete backup. */
  readonly success?: Success;
  readonly failedAt?: number;
}

export interface NewAttempt {
  readonly id: string;
  readonly scheduled: boolean;
  /** For display; the URL of a bucket has no credentials. */
  readonly destination: string;
}

interface Outcome {
  readonly whole: boolean;
  readonly bytes: number;
  readonly missing: number;
}

const insert = sql<{ id: string; scheduled: number; destination: string; now: number; until: number }>(
  `INSERT INTO backup_attempt (id, scheduled, destination, started_at, alive_until)
   VALUES (:id, :scheduled, :destination, :now, :until)`,
);
const prolong = sql<{ id: string; now: number; until: number }>(
  `UPDATE backup_attempt SET alive_until = :until WHERE id = :id AND ended_at IS NULL AND alive_until > :now`,
);
const end = sql<{ id: string; now: number; whole: number; bytes: number; missing: number }>(
  'UPDATE backup_attempt SET ended_at = :now, whole = :whole, bytes = :bytes, missing = :missing WHERE id = :id AND ended_at IS NULL',
);
/** Marks backups whose process died without ending them. */
const giveUp = sql<{ now: number }>(
  'UPDATE backup_attempt SET ended_at = alive_until WHERE ended_at IS NULL AND alive_until <= :now',
);
const forget = sql<{ before: number; kept: string }>(
  'DELETE FROM backup_attempt WHERE started_at < :before AND id <> :kept AND ended_at IS NOT NULL',
);
const oldestKept = sql<{ kept: number }, { startedAt: number }>(
  'SELECT started_at AS "startedAt" FROM backup_attempt ORDER BY started_at DESC LIMIT 1 OFFSET :kept',
);
const lastWhole = sql<{ latest: number }, Success>(
  `SELECT id, started_at AS "startedAt", ended_at AS "endedAt", bytes, missing FROM backup_attempt
   WHERE whole = 1 AND ended_at <= :latest ORDER BY ended_at DESC LIMIT 1`,
);
const lastFailed = sql<{ now: number }, { at: number }>(
  `SELECT COALESCE(ended_at, alive_until) AS at FROM backup_attempt
   WHERE whole = 0 AND (ended_at IS NOT NULL OR alive_until <= :now) ORDER BY COALESCE(ended_at, alive_until) DESC LIMIT 1`,
);
const lastScheduled = sql<{ latest: number }, { startedAt: number; whole: number }>(
  `SELECT started_at AS "startedAt", whole FROM backup_attempt
   WHERE scheduled = 1 AND started_at <= :latest ORDER BY started_at DESC LIMIT 20`,
);
const running = sql<{ now: number }, { id: string }>(
  'SELECT id FROM backup_attempt WHERE ended_at IS NULL AND alive_until > :now LIMIT 1',
);

/** A heartbeat was too late, so blobs that the backup still had to read may have been deleted. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** The table of backups. While a backup is in progress, blobs are not deleted (storage/blobs/held-blobs.ts). */
export class BackupAttempts {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Starts a backup: from now on no blob is deleted, until the backup ends or its heartbeats stop. */
  async begin({ id, scheduled, destination }: NewAttempt): Promise<BackupAttempt> {
    const now = this.#clock();
    await this.#database.run(giveUp, { now });
    const row = { id, scheduled: Number(scheduled), destination, now, until: now + LIFE };
    await this.#database.run(insert, row);
    return new BackupAttempt(this.#database, this.#clock, id);
  }

  async lastOutcomes(): Promise<LastOutcomes> {
    const now = this.#clock();
    const success = await this.#database.one(lastWhole, { latest: now + APART });
    const failed = await this.#database.one(lastFailed, { now });
    return { ...(success && { success }), ...(failed && { failedAt: failed.at }) };
  }

  /** Returns the most recent backups that the schedule started, newest first. */
  scheduled(): Promise<readonly { readonly startedAt: number; readonly whole: number }[]> {
    return this.#database.all(lastScheduled, { latest: this.#clock() + APART });
  }

  async isUnderWay(): Promise<boolean> {
    return (await this.#database.one(running, { now: this.#clock() })) !== undefined;
  }
}

/** A backup in progress. */
export class BackupAttempt {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #id: string;
  #toldAt: number;

  constructor(database: Database, clock: Clock, id: string) {
    this.#database = database;
    this.#clock = clock;
    this.#id = id;
    this.#toldAt = clock();
  }

  /**
   * Sends heartbeats while the content passes through.
   * @throws GivenUp if a heartbeat was too late
   */
  async *withHeartbeat(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of content) {
      await this.#heartbeat();
      yield part;
    }
    await this.#heartbeat(0);
  }

  async end({ whole, bytes, missing }: Outcome): Promise<void> {
    const now = this.#clock();
    await this.#database.run(end, { id: this.#id, now, whole: Number(whole), bytes, missing });
    await forgetOld(this.#database, now);
  }

  async #heartbeat(every = SIGN_EVERY): Promise<void> {
    const now = this.#clock();
    if (now - this.#toldAt < every) return;
    if ((await this.#database.run(prolong, { id: this.#id, now, until: now + LIFE })) === 0)
      throw new GivenUp(
        'the backup made no progress for too long, and blobs that it had to read may have been deleted: create it again',
      );
    this.#toldAt = now;
  }
}

async function forgetOld(database: Queries, now: number): Promise<void> {
  const oldest = await database.one(oldestKept, { kept: KEPT });
  if (oldest === undefined) return;
  const whole = await database.one(lastWhole, { latest: now + APART });
  await database.run(forget, { before: oldest.startedAt, kept: whole?.id ?? '' });
}
