import type { BackgroundWork } from '../lib/background-work.ts';
import type { Clock } from '../lib/clock.ts';
import { PeriodicTask } from '../lib/periodic-task.ts';
import { type Database, sql } from './database.ts';

/** How often the database is asked, milliseconds. */
const ASK_MS = 5_000;
/** @limit how far the clock of a machine is from that of the database before the log says so, ms -> a line in the log */
const TOLD_MS = 2_000;

const time = sql<Record<string, never>, { now: number }>(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
);

/** The time that all go by, for whoever is done in a while. */
export async function timeOf(database: Database): Promise<Clock> {
  const clock = new SharedClock();
  await clock.synchronize(database);
  return clock.now;
}

/** Who hears of what. */
interface ClockNotes {
  /** Our own clock is that far away; 0 and the like once it is so no more. */
  readonly tell: (secondsAhead: number) => void;
  readonly report: (error: unknown) => void;
}

/**
 * One time for all processes that share a database on PostgreSQL: that of the database, whatever their own clocks say. So what one
 * has made is neither over nor still to come for another. On SQLite there is one process, and its own clock.
 */
export class SharedClock {
  /** Milliseconds that our own clock is ahead; negative behind. */
  #ahead = 0;
  #told = 0;

  readonly now: Clock = () => Date.now() - this.#ahead;

  /** Asks the database. What the way there leaves open changes nothing. */
  async synchronize(database: Database): Promise<void> {
    if (database.dialect === 'sqlite') return;
    const sent = performance.now();
    const own = Date.now();
    const answer = await database.one(time, {});
    const half = (performance.now() - sent) / 2;
    const ahead = Math.round(own + half - (answer as { now: number }).now);
    if (Math.abs(ahead - this.#ahead) > half + 1) this.#ahead = ahead;
  }

  /** Asks again and again. */
  following(database: Database, { tell, report }: ClockNotes): BackgroundWork {
    const ask = () => this.synchronize(database).then(() => this.#tell(tell));
    const asking = PeriodicTask.every(ASK_MS, ask, report);
    return {
      // Each process has a clock of its own: none waits for its turn.
      start: () => {
        this.#tell(tell);
        asking.start();
      },
      stop: () => asking.stop(),
    };
  }

  #tell(tell: ClockNotes['tell']): void {
    if (Math.abs(this.#ahead - this.#told) < TOLD_MS) return;
    this.#told = this.#ahead;
    tell(this.#ahead / 1000);
  }
}
