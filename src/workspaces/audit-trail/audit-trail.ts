import type { BackgroundWork } from '../../lib/background/background-work.ts';
import { PeriodicTask } from '../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../lib/background/task-definition.ts';
import { notFound } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import type { Platform } from '../platform/platform.ts';
import type { Actor } from '../tenancy/index.ts';
import type { NewEvent, TrailEvent } from './store.ts';
import * as store from './store.ts';
import { WaitingEvents } from './waiting-events.ts';

const DAY = 86_400_000;
/** @limit age of an event in the audit trail, ms -> the sweep deletes it */
const KEPT_MS = 14 * DAY;
/** @limit events in the audit trail of an organization, events -> the sweep deletes the oldest early */
const MOST_KEPT = 1_000_000;
/**
 * @limit rows of audit trails, of up to 200 events each, that one step of a sweep deletes, rows -> the next step
 * continues
 */
const MOST_FORGOTTEN = 50;
/** Milliseconds between the steps of a sweep, after a failed step, and between sweeps. */
const PAUSE = 50;
const AFTER_FAILURE = 60_000;
const REST = 3_600_000;

const SWEEP: TaskDefinition = {
  name: 'audit-trail-sweep',
  description: 'Deletes old events from the audit trails of organizations.',
  runsOn: 'leader',
  period: REST,
};

type TrailOptions = Pick<Platform, 'database' | 'clock' | 'report'>;

/** Audit trail: the list of changes in each organization and their actors. */
export class AuditTrail {
  readonly #options: TrailOptions;
  readonly #waiting: WaitingEvents;
  #swept = '';
  /** Deletes old events, on one node at a time. */
  readonly background: readonly BackgroundWork[];

  constructor(options: TrailOptions) {
    this.#options = options;
    this.#waiting = new WaitingEvents(options.database, options.report);
    const step = async () => ((await this.sweep()) ? PAUSE : REST);
    const { report } = options;
    this.background = [new PeriodicTask({ task: SWEEP, step, first: PAUSE, afterFailure: AFTER_FAILURE, report })];
  }

  /**
   * Queues an event. It is stored within a second and then visible on all nodes. After a crash, unstored events are
   * only in the audit log.
   */
  note(event: Omit<NewEvent, 'happenedAt'>): void {
    this.#waiting.add({ ...event, happenedAt: this.#options.clock() });
  }

  /** Resolves when all queued events are stored or have failed. */
  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  /**
   * Returns the events of the actor's organization after a time, newest first, including the events of all requests to
   * which this process has responded.
   * @param since milliseconds since 1970
   * @throws 404 for all actors except the organization itself and readers of its trail
   */
  async list(
    actor: Actor,
    since: number,
    page: Page,
  ): Promise<Slice<TrailEvent> & { readonly organizationId: string }> {
    if (actor.kind !== 'organization' || !actor.readsTrail) throw notFound();
    const { clock, database } = this.#options;
    await this.flush();
    const { organizationId } = actor;
    const found = await store.listEvents(database, organizationId, Math.max(since, clock() - KEPT_MS), page);
    return { ...found, organizationId };
  }

  /** Runs one bounded step of a sweep. Returns whether there is more to do. */
  async sweep(): Promise<boolean> {
    const { clock, database } = this.#options;
    const organizationId = await store.nextOrganization(database, this.#swept);
    if (organizationId === undefined) {
      this.#swept = '';
      return false;
    }
    const kept = { since: clock() - KEPT_MS, most: MOST_KEPT };
    if (!(await store.removeOldEvents(database, organizationId, kept, MOST_FORGOTTEN))) this.#swept = organizationId;
    return true;
  }
}
