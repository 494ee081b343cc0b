import type { Clock } from '../../../lib/clock.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Queue } from '../../delivery/index.ts';
import type { Connections } from '../connection/access.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { CommitReports } from './commit-reports.ts';
import { LONGEST_TRIES, pauseAfterLimit } from './pace.ts';
import type { PullReports } from './pull-reports.ts';
import type { ReportEntry } from './report-work.ts';
import * as store from './store.ts';

/** Result of an attempt: outcome for the back-off, and when to look again. Times are milliseconds since 1970. */
export interface ReportAttempt extends Attempt {
  /** Time of the next attempt; null: when something new happens; undefined: after the back-off. */
  readonly dueAt: number | null | undefined;
  /** Whether even something new has to wait until then. */
  readonly isPostponed: boolean;
  /** Reason why the provider does not show the results, for the owner of the connection. */
  readonly problem: string | null;
}

export interface ReportQueueOptions {
  readonly clock: Clock;
  readonly connections: Pick<Connections, 'checkSoon'>;
  readonly outbox: store.ReportOutbox;
  readonly commits: CommitReports;
  readonly pulls: PullReports;
}

/** @limit concurrent requests of a node that report results, requests -> the others wait */
const MOST_ATTEMPTS = 16;
/** @limit concurrent requests of a node that report results for one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 4;

/** @limit concurrent requests of a node that report results by one connection, requests -> the others wait */
const MOST_OF_CONNECTION = 4;

/**
 * Queue of reports: what providers show for commits and pull requests. An attempt computes it from events, verdicts and
 * runs, compares it with what was sent, and sends the difference. A lost request is thus repeated by the next attempt.
 */
export class ReportQueue implements Queue<ReportEntry, ReportAttempt> {
  readonly name = 'vcs_reports';
  readonly task: DeliveryTask = {
    name: 'vcs-report-delivery',
    description: 'Reports the results of runs to VCS providers.',
  };
  readonly outbox: store.ReportOutbox;
  /** The receiver of a report is its connection. Its HTTP client sends writes one by one where the provider wants that. */
  readonly places = { all: MOST_ATTEMPTS, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_OF_CONNECTION };
  readonly #options: ReportQueueOptions;

  constructor(options: ReportQueueOptions) {
    this.#options = options;
    this.outbox = options.outbox;
  }

  async attempt(entry: ReportEntry, signal: AbortSignal): Promise<ReportAttempt> {
    const { clock, commits, connections, pulls } = this.#options;
    const kind = entry.row.kind === 'commit' ? commits : pulls;
    const work = await kind.workOf(entry);
    if (work === undefined) return { outcome: 'arrived', dueAt: null, isPostponed: false, problem: null };
    try {
      return { outcome: 'arrived', isPostponed: false, ...(await work.send(signal)) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'refused') await connections.checkSoon(work.connectionId);
      return failed(error, clock() - work.since, clock());
    }
  }

  async settle(tx: Transaction, { row }: ReportEntry, { dueAt, isPostponed, problem }: ReportAttempt, ended: Ended) {
    const next = dueAt === undefined ? ended.dueAt : dueAt;
    await store.settleReport(tx, row, { isPostponed, problem, dueAt: next }, ended.now);
  }
}

/** @param age of the newest event, milliseconds */
function failed({ kind, message, retryAfterMs }: ProviderError, age: number, now: number): ReportAttempt {
  if (age > LONGEST_TRIES) return { outcome: 'refused', dueAt: null, isPostponed: false, problem: message };
  const dueAt = kind === 'limited' ? now + pauseAfterLimit(retryAfterMs) : undefined;
  return { outcome: 'failed', dueAt, isPostponed: kind === 'limited', problem: message };
}
