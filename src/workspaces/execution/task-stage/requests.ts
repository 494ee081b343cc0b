import type { Clock } from '../../../lib/clock.ts';
import type { Database, Keyring, Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, OutcomeCounts, Queue, Sender, Sent } from '../../delivery/index.ts';
import type { Users } from '../../tenancy/index.ts';
import { pusherOf } from '../configuration-version/commits.ts';
import { ingressesOfRuns } from '../configuration-version/ingress.ts';
import type { RunTaskResolver } from '../run-task/run-task-resolver.ts';
import { callbackToken } from './callback-token.ts';
import { requestOf } from './request.ts';
import * as requestStore from './request-store.ts';
import { deadline, lastTry, SILENT } from './timeouts.ts';
import type { StageWalk, TaskReport } from './walk.ts';

/** Dependencies of `TaskRequests`. */
export interface TaskRequestsOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly users: Pick<Users, 'named'>;
  readonly resolver: RunTaskResolver;
  readonly sender: Sender;
  readonly walk: StageWalk;
  readonly metrics: OutcomeCounts<RequestLabels>;
}

/**
 * Labels of the metric of run task requests. taken: the service accepted it. failed: it did not, and the server tries
 * again. refused: the request may not be sent, or its task was deleted. silent: the service reported nothing in time,
 * whether or not it accepted the request.
 */
export type RequestLabels = { readonly outcome: 'taken' | 'failed' | 'refused' | 'silent' };

/** @limit run task requests in flight from one node, requests -> the others wait */
const MOST_REQUESTS = 32;
/** @limit run task requests in flight of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 16;
/** @limit run task requests in flight to one service, requests -> the others wait */
const MOST_TO_RECEIVER = 8;

type Row = requestStore.ClaimedRequest;

/** Attempt to send a request. */
interface RequestAttempt extends Attempt {
  /** New values of the result; undefined to try again. */
  readonly report: TaskReport | undefined;
}

/** Queue of run task requests: a request is sent until the service accepts it, or given up at the deadline. */
export class TaskRequests implements Queue<Entry<Row>, RequestAttempt> {
  readonly name = 'run_tasks';
  readonly task: DeliveryTask = {
    name: 'run-task-delivery',
    description: 'Sends due requests to the services of run tasks.',
  };
  readonly outbox = requestStore.requests;
  readonly places = { all: MOST_REQUESTS, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_TO_RECEIVER };
  readonly #options: TaskRequestsOptions;

  constructor(options: TaskRequestsOptions) {
    this.#options = options;
  }

  latest({ row }: Entry<Row>): number {
    return lastTry(row.beganAt);
  }

  async attempt({ row }: Entry<Row>, signal: AbortSignal): Promise<RequestAttempt> {
    const { clock, metrics } = this.#options;
    // An accepted request is due when its service has missed the deadline.
    const isLate = row.status === 'running' || clock() >= lastTry(row.beganAt);
    const sent = isLate ? undefined : await this.#send(row, signal);
    const report = sent === undefined ? LATE : this.#reportOf(row, sent);
    metrics.count({ outcome: outcomeOf(sent, report) });
    if (report === undefined) return { outcome: 'failed', report };
    return { outcome: report.status === 'running' ? 'arrived' : 'refused', report };
  }

  async settle(tx: Transaction, { id }: Entry<Row>, { report }: RequestAttempt, { now }: Ended): Promise<void> {
    if (report !== undefined) await this.#options.walk.record(tx, id, report, now);
  }

  /** Returns the new values of the result after a try; undefined to try again. */
  #reportOf({ beganAt }: Row, sent: Sent | 'gone'): TaskReport | undefined {
    if (sent === 'gone') return { status: 'errored', message: GONE };
    if (sent.outcome === 'arrived') return { status: 'running', dueAt: deadline(beganAt, this.#options.clock()) };
    // Only a request that may not be sent is final. A service that responds with an error status may just be
    // starting.
    const isFinal = sent.outcome === 'refused' && sent.response.code === '';
    return isFinal ? { status: 'errored', message: `The request to the run task failed: ${sent.reason}` } : undefined;
  }

  async #send({ id, taskId }: Row, signal: AbortSignal): Promise<Sent | 'gone'> {
    const { database, resolver, keyring, sender } = this.#options;
    const [row, task] = await Promise.all([
      requestStore.findRequest(database, id),
      resolver.findTask(database, taskId),
    ]);
    if (row === undefined || task === undefined) return 'gone';
    const { hmacKey, origin, url } = task;
    const commit = (await ingressesOfRuns(database, [row.runId])).get(row.runId);
    const asked = { accessToken: callbackToken(keyring, id), commit, createdByName: await this.#nameOf(row) };
    return sender.send({ url, token: hmacKey }, requestOf(row, origin, asked), signal);
  }

  async #nameOf({ createdByType: type, createdById: id, createdByName }: requestStore.RequestRow) {
    if (type !== 'users') return pusherOf(type, createdByName);
    const [user] = await this.#options.users.named([id]);
    return user?.username ?? null;
  }
}

function outcomeOf(sent: Sent | 'gone' | undefined, report: TaskReport | undefined): RequestLabels['outcome'] {
  if (sent === undefined) return 'silent';
  if (report === undefined) return 'failed';
  return report.status === 'running' ? 'taken' : 'refused';
}

const GONE = 'The run task was deleted after the run was created';
const LATE: TaskReport = { status: 'errored', message: SILENT };
