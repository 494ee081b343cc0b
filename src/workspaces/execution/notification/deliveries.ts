import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Users } from '../../tenancy/index.ts';
import { DeliveryLoop, type DeliveryTask, type Ending } from '../webhook/delivery-loop.ts';
import { pauseAfter } from '../webhook/pause.ts';
import { LONGEST_DELIVERY, type Sender, type Sent } from '../webhook/sender.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { messageOf, type Story } from './message.ts';
import { type AssessmentStory, isOfAssessment, type News, type NotificationConfiguration } from './notification.ts';
import * as queueStore from './queue-store.ts';
import { givenUpUnsent, withResponse } from './responses.ts';
import { isGivenUp, oldestTold } from './retry.ts';
import type { NotificationSealing } from './sealing.ts';
import * as store from './store.ts';

/** Dependencies of the service. */
export interface DeliveriesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Pick<Users, 'named'>;
  readonly sealing: NotificationSealing;
  readonly sender: Sender;
  readonly metrics: DeliveryMetrics;
  /** Called for internal errors of a delivery. */
  readonly report: (error: unknown) => void;
  /** Called for dropped messages, without URLs. */
  readonly note: DeliveryNote;
}

/** Log entry: `message` describes the outcome, `event` the subject. */
export type DeliveryNote = (event: Readonly<Record<string, string | number>>, message: string) => void;

/** @limit concurrent notification requests of a node, requests -> the others wait */
const MOST_DELIVERIES = 32;
/** @limit concurrent notification requests of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 16;
/** @limit concurrent notification requests to one receiver, requests -> the others wait */
const MOST_TO_RECEIVER = 4;
const TASK: DeliveryTask = {
  name: 'notification-delivery',
  description: 'Sends due notifications to their receivers.',
};
const PLACES = { all: MOST_DELIVERIES, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_TO_RECEIVER };
/** Number of messages of one configuration before others are served. */
const IN_A_ROW = 20;
/**
 * Duration of a claim, in milliseconds. It is longer than any delivery, so another node takes over only from a node
 * that has crashed.
 */
const LEASE = 6 * LONGEST_DELIVERY;
/** A claimed message. */
interface Work {
  readonly configuration: NotificationConfiguration;
  readonly failures: number;
  readonly claim: string;
  /** Next message of the configuration; undefined if all waiting messages were too old. */
  readonly delivery: queueStore.Delivery | undefined;
  /** Number of dropped messages that were too old. */
  readonly tooOld: number;
}

/**
 * Relay of the outbox (outbox.ts): sends one message of each configuration at a time, in order, from any node.
 * Delivery is at least once: if a node dies after sending, another sends the message again. A receiver that does not
 * respond delays only its own configurations.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  /** Background task that sends due messages. */
  readonly loop: DeliveryLoop<unknown>;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { clock, database, report } = options;
    this.loop = new DeliveryLoop<Work>({
      ...{ task: TASK, places: PLACES, report },
      due: (without, limit) => queueStore.dueDeliveries(database, clock(), without, limit),
      take: (id) => this.#take(id),
      deliver: (work, loop) => this.#deliverSome(work, loop),
    });
  }

  /**
   * Claims the next message of a configuration. Returns undefined if another node holds the claim, or nothing is left
   * to send.
   */
  #take(id: string): Promise<Work | undefined> {
    const { clock, database, sealing } = this.#options;
    return database.transaction(async (tx) => {
      const now = clock();
      const claim = randomText(16);
      const row = await queueStore.claimDelivery(tx, { id, claim, until: now + LEASE, now });
      if (row === undefined) return undefined;
      const tooOld = await queueStore.expireDeliveries(tx, id, oldestTold(now));
      const delivery = await queueStore.firstDelivery(tx, id);
      const { failures, ...rest } = row;
      return { configuration: store.configurationOf(rest, sealing), failures, claim, delivery, tooOld };
    });
  }

  /** Sends a message and its successors until one fails. */
  async #deliverSome(first: Work, loop: Ending): Promise<void> {
    let work: Work | undefined = first;
    for (let sent = 1; work !== undefined; sent++) {
      const goesOn: boolean = (await this.#deliver(work, loop.signal)) && sent < IN_A_ROW && !loop.isStopping;
      work = goesOn ? await this.#take(work.configuration.id) : undefined;
    }
  }

  /** Sends a message and returns whether it was accepted. */
  async #deliver(work: Work, signal: AbortSignal): Promise<boolean> {
    const { clock, database, sealing, sender } = this.#options;
    const { configuration, delivery, tooOld } = work;
    const { id, url } = configuration;
    const story = delivery && (await this.#storyOf(configuration, delivery.news));
    const sent = story && (await sender.send(configuration, messageOf(configuration, story), signal));
    const now = clock();
    const ended = endOf(work, sent, now);
    const answers = [...(tooOld > 0 ? [givenUpUnsent(url, tooOld, now)] : []), ...(sent ? [sent.response] : [])];
    const isOurs = await database.transaction(async (tx) => {
      if (!(await queueStore.releaseDelivery(tx, ended))) return false;
      const kept = await store.responsesOf(tx, id);
      const before = sealing.openedResponses(id, kept?.responses ?? null);
      await store.setResponses(tx, id, sealing.responses(id, answers.reduce(withResponse, before)));
      return true;
    });
    if (isOurs) this.#tell(work, sent, ended.settled);
    return isOurs && sent?.outcome === 'arrived';
  }

  #tell({ configuration, delivery, tooOld }: Work, sent: Sent | undefined, settled: boolean): void {
    const { metrics, note } = this.#options;
    const { id, workspaceId, destinationType } = configuration;
    const about = { notification_configuration: id, workspace: workspaceId };
    if (tooOld > 0) {
      metrics.count(destinationType, 'given_up', tooOld);
      note({ ...about, count: tooOld }, 'notifications that waited too long were dropped');
    }
    if (sent === undefined || delivery === undefined) return;
    const unsuccessful = settled ? 'given_up' : 'failed';
    metrics.count(destinationType, sent.outcome === 'arrived' ? 'delivered' : unsuccessful);
    if (sent.outcome === 'arrived' || !settled) return;
    const { news } = delivery;
    const what = isOfAssessment(news) ? { assessment: news.result.id } : { run: news.runId };
    note(
      { ...about, ...what, trigger: news.trigger, tries: delivery.tries + 1, reason: sent.reason },
      'a notification was dropped after its last attempt',
    );
  }

  async #storyOf({ origin }: NotificationConfiguration, news: News): Promise<Story | AssessmentStory> {
    if (isOfAssessment(news)) return { ...news, origin };
    const { runCreatedBy, runUpdatedBy, organizationName, workspaceName, runId } = news;
    const people = [runCreatedBy, runUpdatedBy].flatMap((who) => (who?.type === 'users' ? [who.id] : []));
    const users = people.length === 0 ? [] : await this.#options.users.named([...new Set(people)]);
    const nameOf = (who: Identifier | null) => users.find(({ id }) => id === who?.id)?.username ?? null;
    return {
      ...news,
      // URL of the run. `tofu` and `terraform` print it too.
      runUrl: `${origin}/app/${organizationName}/${workspaceName}/runs/${runId}`,
      createdByName: nameOf(runCreatedBy),
      updatedByName: nameOf(runUpdatedBy),
    };
  }
}

/** Outcome of an attempt to send a message. */
function endOf({ configuration, claim, delivery, failures }: Work, sent: Sent | undefined, now: number) {
  const common = { configurationId: configuration.id, claim, deliveryId: delivery?.id };
  if (sent === undefined) return { ...common, settled: false, failures, dueAt: now };
  if (sent.outcome !== 'failed') return { ...common, settled: true, failures: 0, dueAt: now };
  const dueAt = Math.round(now + pauseAfter(failures + 1, Math.random()));
  return { ...common, settled: isGivenUp((delivery?.tries ?? 0) + 1), failures: failures + 1, dueAt };
}
