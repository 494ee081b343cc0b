import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import type { Users } from '../../tenancy/index.ts';
import type { RunTaskResolver } from '../run-task/run-task-resolver.ts';
import { DeliveryLoop, type DeliveryTask } from '../webhook/delivery-loop.ts';
import { pauseAfter } from '../webhook/pause.ts';
import { LONGEST_DELIVERY, type Sender, type Sent } from '../webhook/sender.ts';
import { callbackToken } from './callback-token.ts';
import { requestOf } from './request.ts';
import type { RequestMetrics, RequestOutcome } from './request-metrics.ts';
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
  readonly metrics: RequestMetrics;
  /** Called with errors of the server itself. */
  readonly report: (error: unknown) => void;
}

/** @limit run task requests in flight from one node, requests -> the others wait */
const MOST_REQUESTS = 32;
/** @limit run task requests in flight of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 16;
/** @limit run task requests in flight to one service, requests -> the others wait */
const MOST_TO_RECEIVER = 8;
const TASK: DeliveryTask = {
  name: 'run-task-delivery',
  description: 'Sends due requests to the services of run tasks.',
};
const PLACES = { all: MOST_REQUESTS, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_TO_RECEIVER };
/**
 * Duration of a lease, in milliseconds. It is longer than any request, so another node takes over only from a node
 * that has crashed.
 */
const LEASE = 6 * LONGEST_DELIVERY;

/** A claimed result whose request is sent or given up. */
interface Work extends requestStore.ClaimedRequest {
  readonly claim: string;
}

/**
 * Outbox of run task requests: any node claims a due request and sends it until the service accepts it, or gives up
 * at the deadline. Delivery is at least once: if a node dies after it has sent a request, another node sends it
 * again.
 */
export class TaskRequests {
  readonly #options: TaskRequestsOptions;
  /** Background loop that sends the requests. */
  readonly loop: DeliveryLoop<unknown>;

  constructor(options: TaskRequestsOptions) {
    this.#options = options;
    const { clock, database, report } = options;
    this.loop = new DeliveryLoop<Work>({
      ...{ task: TASK, places: PLACES, report },
      due: (without, limit) => requestStore.dueRequests(database, clock(), without, limit),
      take: (id) => this.#take(id),
      deliver: (work, { signal }) => this.#deliver(work, signal),
    });
  }

  async #take(id: string): Promise<Work | undefined> {
    const { clock, database } = this.#options;
    const now = clock();
    const claim = randomText(16);
    const taken = await requestStore.claimRequest(database, { id, claim, until: now + LEASE, now });
    return taken && { ...taken, claim };
  }

  async #deliver(work: Work, signal: AbortSignal): Promise<void> {
    const { clock, database, metrics, walk } = this.#options;
    // An accepted request is due when its service has missed the deadline.
    const isLate = work.status === 'running' || clock() >= lastTry(work.beganAt);
    const sent = isLate ? undefined : await this.#send(work, signal);
    const said = sent === undefined ? LATE : this.#saidBy(work, sent);
    metrics.count(outcomeOf(sent, said));
    await database.transaction(async (tx) => {
      if (!(await requestStore.releaseRequest(tx, work.id, work.claim))) return;
      const now = clock();
      if (said !== undefined) await walk.record(tx, work.id, said, now);
      else await requestStore.retryRequest(tx, work.id, nextTry(work, now));
    });
  }

  /** Returns the new values of the result after a try; undefined to try again. */
  #saidBy({ beganAt }: Work, sent: Sent | 'gone'): TaskReport | undefined {
    if (sent === 'gone') return { status: 'errored', message: GONE };
    if (sent.outcome === 'arrived') return { status: 'running', dueAt: deadline(beganAt, this.#options.clock()) };
    // Only a request that may not be sent is final. A service that responds with an error status may just be
    // starting.
    const isFinal = sent.outcome === 'refused' && sent.response.code === '';
    return isFinal ? { status: 'errored', message: `The request to the run task failed: ${sent.reason}` } : undefined;
  }

  async #send({ id, taskId }: Work, signal: AbortSignal): Promise<Sent | 'gone'> {
    const { database, resolver, keyring, sender } = this.#options;
    const [row, task] = await Promise.all([
      requestStore.findRequest(database, id),
      resolver.findTask(database, taskId),
    ]);
    if (row === undefined || task === undefined) return 'gone';
    const { hmacKey, origin, url } = task;
    const asked = { accessToken: callbackToken(keyring, id), createdByName: await this.#nameOf(row) };
    return sender.send({ url, token: hmacKey }, requestOf(row, origin, asked), signal);
  }

  async #nameOf({ createdByType: type, createdById: id }: requestStore.RequestRow): Promise<string | null> {
    if (type !== 'users') return null;
    const [user] = await this.#options.users.named([id]);
    return user?.username ?? null;
  }
}

function outcomeOf(sent: Sent | 'gone' | undefined, said: TaskReport | undefined): RequestOutcome {
  if (sent === undefined) return 'silent';
  if (said === undefined) return 'failed';
  return said.status === 'running' ? 'taken' : 'refused';
}

const GONE = 'The run task was deleted after the run was created';
const LATE: TaskReport = { status: 'errored', message: SILENT };

function nextTry({ tries, beganAt }: Work, now: number): number {
  return Math.min(Math.round(now + pauseAfter(tries + 1, Math.random())), lastTry(beganAt));
}
