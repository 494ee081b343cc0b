import type { Database, Transaction } from '../../../storage/index.ts';
import type { Delivery, DeliveryLoop } from '../../delivery/index.ts';
import { CommitReports } from './commit-reports.ts';
import { PullReports } from './pull-reports.ts';
import { ReportQueue } from './report-queue.ts';
import type { ReportWorkOptions } from './report-work.ts';
import * as store from './store.ts';

/** An event that has results to report. */
export interface EventToReport {
  readonly id: string;
  readonly repositoryId: string;
  /** Null: the branch or tag was deleted, or the pull request closed. */
  readonly afterId: string | null;
  /** Details as JSON, with the pull request. */
  readonly details: string;
}

/**
 * Runs whose reports this process has not marked yet. They are hints: a report of a commit whose runs are in progress is
 * due again and again (pace.ts), so those that are lost delay a report by minutes at most.
 * @limit transitions of runs that one process remembers until it marks their reports, runs -> their reports come later
 */
const MAX_HINTS = 20_000;
/** Runs in one query. */
const HINTS_AT_ONCE = 1000;

/** Reports the results of runs to providers. */
export class VcsReports {
  readonly #database: Database;
  readonly #clock: ReportWorkOptions['clock'];
  readonly #hints = new Set<string>();
  readonly loop: DeliveryLoop<unknown>;

  constructor(delivery: Delivery, options: ReportWorkOptions) {
    this.#database = options.database;
    this.#clock = options.clock;
    const outbox = new store.ReportOutbox(() => this.#markHints());
    const [commits, pulls] = [new CommitReports(options), new PullReports(options)];
    this.loop = delivery.add(new ReportQueue({ ...options, outbox, commits, pulls }));
  }

  /** Makes the reports of an event due that was just stored. Events of a pull request come in their order. */
  async eventAdded(tx: Transaction, event: EventToReport, now: number): Promise<void> {
    const isClosed = event.afterId === null;
    for (const marked of reportsOf(event)) {
      const eventId = marked.kind === 'pull' && !isClosed ? event.id : null;
      await store.putMark(tx, marked, { eventId, isClosed }, now);
    }
  }

  /** Makes the reports of an event due whose verdicts are complete. */
  async eventDone(tx: Transaction, event: EventToReport, now: number): Promise<void> {
    for (const marked of reportsOf(event)) await store.markReport(tx, marked, now);
  }

  /**
   * Makes the reports of a run due, after the commit of its transition. Writing to the report in that transaction would
   * make the runs of a push wait for each other.
   */
  runChanged(tx: Transaction, { id }: { readonly id: string }): void {
    tx.afterCommit(() => {
      if (this.#hints.size < MAX_HINTS) this.#hints.add(id);
    });
  }

  async #markHints(): Promise<void> {
    while (this.#hints.size > 0) {
      const runIds = [...this.#hints].slice(0, HINTS_AT_ONCE);
      for (const id of runIds) this.#hints.delete(id);
      const marked = await store.reportsOfRuns(this.#database, runIds);
      for (const one of marked) await this.#database.transaction((tx) => store.markReport(tx, one, this.#clock()));
    }
  }
}

function reportsOf({ repositoryId, afterId, details }: EventToReport): store.Marked[] {
  const { pull } = JSON.parse(details) as { readonly pull: { readonly number: number } | null };
  return [
    ...(afterId === null ? [] : [{ repositoryId, kind: 'commit' as const, subject: afterId }]),
    ...(pull === null ? [] : [{ repositoryId, kind: 'pull' as const, subject: String(pull.number) }]),
  ];
}
