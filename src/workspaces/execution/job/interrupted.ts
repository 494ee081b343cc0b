import type { Clock } from '../../../lib/clock.ts';
import { type Database, sql } from '../../../storage/index.ts';
import { ACTIONS, BEFORE_PLAN, FINAL, isIdle, RUN_STATUSES } from '../lifecycle/status.ts';
import type { RunPhases } from '../run/phases.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';
import * as store from '../run/store.ts';

/** Statuses in which a run waits for a user, who can check the situation before deciding. */
const DECIDED_BY_PEOPLE = ACTIONS.discard.filter((status) => !(BEFORE_PLAN as readonly string[]).includes(status));
const INTERRUPTED = RUN_STATUSES.filter((status) => !FINAL.includes(status) && !isOneOf(DECIDED_BY_PEOPLE, status));

const REASON = 'The server was restored from a backup. It does not know what was executed after the backup';

/** Pending runs come first, so that none of them gets the workspace when another run ends. */
const selectInterrupted = sql<Record<string, never>, { id: string }>(
  `SELECT id FROM run WHERE finished_at IS NULL AND status IN (${INTERRUPTED.map((status) => `'${status}'`).join(', ')})
   ORDER BY waits DESC, id LIMIT 100`,
);

/**
 * Ends the unfinished runs of a restored backup. They may have finished after the backup was made, and nothing may be
 * applied twice.
 */
export class InterruptedRuns {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #stateMachine: RunStateMachine;
  readonly #phases: RunPhases;

  constructor(database: Database, clock: Clock, stateMachine: RunStateMachine, phases: RunPhases) {
    this.#database = database;
    this.#clock = clock;
    this.#stateMachine = stateMachine;
    this.#phases = phases;
  }

  /**
   * Ends the unfinished runs. Call it before the server serves requests. Runs that were executed become errored,
   * waiting runs canceled.
   * @returns the number of ended runs
   */
  async endAll(): Promise<number> {
    let ended = 0;
    for (;;) {
      const ids = await this.#database.all(selectInterrupted, {});
      if (ids.length === 0) return ended;
      for (const { id } of ids) await this.#end(id);
      ended += ids.length;
    }
  }

  #end(id: string): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const run = await store.claimRun(tx, id);
      // Another process that starts at the same time may have ended it.
      if (run === undefined || !isOneOf(INTERRUPTED, run.status)) return;
      const status = isIdle(run.status) ? 'canceled' : 'errored';
      await this.#phases.note(tx, id, `\n${REASON}.\n`);
      await this.#stateMachine.transition(tx, run, status, { now: this.#clock(), actor: null, reason: REASON });
    });
  }
}

function isOneOf(statuses: readonly string[], status: string): boolean {
  return statuses.includes(status);
}
