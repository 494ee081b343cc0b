import type { BackgroundWork } from '../lib/background/background-work.ts';
import { PeriodicTask, type ReportError } from '../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../lib/background/task-definition.ts';
import type { Clock } from '../lib/clock.ts';
import { type Database, sql } from './database.ts';

const READING: TaskDefinition = {
  name: 'database-clock',
  description: "Reads the database's time, which all processes use as their clock.",
  runsOn: 'every process',
  period: 5_000,
};
/** @limit clock skew between a machine and the database, ms -> a warning in the log */
const TOLD_MS = 2_000;

const time = sql<Record<string, never>, { now: number }>(
  'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
);

/** Returns the shared clock for a short-lived process. */
export async function timeOf(database: Database): Promise<Clock> {
  const clock = new SharedClock();
  await clock.synchronize(database);
  return clock.now;
}

/** Callbacks for changes of the clock. */
interface ClockNotes {
  /** Called with the number of seconds that this machine's clock is ahead, and with about 0 when it is right again. */
  readonly tell: (secondsAhead: number) => void;
  readonly report: ReportError;
}

/**
 * Clock of the database, which all processes on one PostgreSQL database share instead of their machines' clocks. So
 * whatever one process creates is neither expired nor in the future for another. On SQLite there is one process, which
 * uses its own clock.
 */
export class SharedClock {
  /** Milliseconds that the machine's clock is ahead; negative if it is behind. */
  #ahead = 0;
  #told = 0;

  readonly now: Clock = () => Date.now() - this.#ahead;

  /** Reads the database's time. A difference within the round-trip time changes nothing. */
  async synchronize(database: Database): Promise<void> {
    if (database.dialect === 'sqlite') return;
    const sent = performance.now();
    const own = Date.now();
    const answer = await database.one(time, {});
    const half = (performance.now() - sent) / 2;
    const ahead = Math.round(own + half - (answer as { now: number }).now);
    if (Math.abs(ahead - this.#ahead) > half + 1) this.#ahead = ahead;
  }

  /** Returns the task that reads the time again and again. */
  following(database: Database, { tell, report }: ClockNotes): BackgroundWork {
    const ask = () => this.synchronize(database).then(() => this.#tell(tell));
    const asking = PeriodicTask.every(READING, ask, report);
    return {
      tasks: asking.tasks,
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
