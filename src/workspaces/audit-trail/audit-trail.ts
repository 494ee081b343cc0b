import type { BackgroundWork } from '../../lib/background-work.ts';
import { PeriodicTask } from '../../lib/periodic-task.ts';
import { notFound } from '../jsonapi/errors.ts';
import type { Page, Slice } from '../jsonapi/pagination.ts';
import type { Platform } from '../platform/platform.ts';
import type { Actor } from '../tenancy/index.ts';
import type { NewEvent, TrailEvent } from './store.ts';
import * as store from './store.ts';
import { WaitingEvents } from './waiting-events.ts';

const DAY = 86_400_000;
/** @limit how long an event is in the audit trail, ms -> it is swept */
const KEPT_MS = 14 * DAY;
/** @limit events in the audit trail of an organization, events -> the oldest are swept before their time */
const MOST_KEPT = 1_000_000;
/** @limit rows of audit trails, of up to 200 events, that one step of a sweep removes, rows -> the next step goes on */
const MOST_FORGOTTEN = 50;
/** From one step of a sweep to the next, after one that failed, and from one sweep to the next, milliseconds. */
const PAUSE = 50;
const AFTER_FAILURE = 60_000;
const REST = 3_600_000;

type TrailOptions = Pick<Platform, 'database' | 'clock' | 'report'>;

/** What was done in each organization, and by whom, for those who watch over it. */
export class AuditTrail {
  readonly #options: TrailOptions;
  readonly #waiting: WaitingEvents;
  #swept = '';
  /** Removes what is too old: one process for all. */
  readonly background: readonly BackgroundWork[];

  constructor(options: TrailOptions) {
    this.#options = options;
    this.#waiting = new WaitingEvents(options.database, options.report);
    const step = async () => ((await this.sweep()) ? PAUSE : REST);
    this.background = [new PeriodicTask({ step, first: PAUSE, afterFailure: AFTER_FAILURE, report: options.report })];
  }

  /** Soon it is there for all nodes. What a process that is killed has not stored is in the audit record alone. */
  note(event: Omit<NewEvent, 'happenedAt'>): void {
    this.#waiting.add({ ...event, happenedAt: this.#options.clock() });
  }

  /** Resolves when all that was noted here is stored, or cannot be. */
  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  /**
   * What happened in the actor's organization after a time, newest first: with all that was answered here.
   * @param since milliseconds since 1970
   * @throws 404 for everybody but the organization itself and whoever reads its trail
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

  /** One bounded part of a sweep. True when there is more to do at once. */
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
