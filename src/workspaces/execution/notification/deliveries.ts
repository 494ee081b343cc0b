import type { Clock } from '../../../lib/clock.ts';
import { randomText } from '../../../lib/ids.ts';
import type { Database } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Users } from '../../tenancy/index.ts';
import { DeliveryLoop, type Ending } from '../webhook/delivery-loop.ts';
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

/** What the service works with. */
export interface DeliveriesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Pick<Users, 'named'>;
  readonly sealing: NotificationSealing;
  readonly sender: Sender;
  readonly metrics: DeliveryMetrics;
  /** Told of what goes wrong on our side. */
  readonly report: (error: unknown) => void;
  /** Told of what was given up, without addresses. */
  readonly note: DeliveryNote;
}

/** For the log: `message` says what has happened, `event` to what. */
export type DeliveryNote = (event: Readonly<Record<string, string | number>>, message: string) => void;

/** @limit notifications on their way at a time from a node, requests -> the others wait */
const MOST_DELIVERIES = 32;
/** @limit of these, those of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 16;
/** @limit of these, those to one receiver, requests -> the others wait */
const MOST_TO_RECEIVER = 4;
const PLACES = { all: MOST_DELIVERIES, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_TO_RECEIVER };
/** Messages of one configuration after which others have their turn. */
const IN_A_ROW = 20;
/** Milliseconds. Longer than any delivery; when a node dies, another goes on after it. */
const LEASE = 6 * LONGEST_DELIVERY;
/** What was taken to be sent. */
interface Work {
  readonly configuration: NotificationConfiguration;
  readonly failures: number;
  readonly claim: string;
  /** Undefined when all that waited was too old. */
  readonly delivery: queueStore.Delivery | undefined;
  /** How many were. */
  readonly tooOld: number;
}

/**
 * Sends what was written down (outbox.ts): of each configuration one message at a time, in the order in which things
 * happened, from whichever node takes it. A message arrives at least once: where a node dies after it has sent one, another
 * sends it again. A receiver that does not answer holds up nobody but those who chose it.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  /** What goes on beside requests. */
  readonly loop: DeliveryLoop<unknown>;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { clock, database, report } = options;
    this.loop = new DeliveryLoop<Work>({
      ...{ places: PLACES, report },
      due: (without, limit) => queueStore.dueDeliveries(database, clock(), without, limit),
      take: (id) => this.#take(id),
      deliver: (work, loop) => this.#deliverSome(work, loop),
    });
  }

  /** Undefined when another node has it, or there is nothing to send any more. */
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

  /** That, and what follows it, as long as it arrives. */
  async #deliverSome(first: Work, loop: Ending): Promise<void> {
    let work: Work | undefined = first;
    for (let sent = 1; work !== undefined; sent++) {
      const goesOn: boolean = (await this.#deliver(work, loop.signal)) && sent < IN_A_ROW && !loop.isStopping;
      work = goesOn ? await this.#take(work.configuration.id) : undefined;
    }
  }

  /** Whether it has arrived. */
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
      note({ ...about, count: tooOld }, 'notifications that waited too long were given up');
    }
    if (sent === undefined || delivery === undefined) return;
    const unsuccessful = settled ? 'given_up' : 'failed';
    metrics.count(destinationType, sent.outcome === 'arrived' ? 'delivered' : unsuccessful);
    if (sent.outcome === 'arrived' || !settled) return;
    const { news } = delivery;
    const what = isOfAssessment(news) ? { assessment: news.result.id } : { run: news.runId };
    note(
      { ...about, ...what, trigger: news.trigger, tries: delivery.tries + 1, reason: sent.reason },
      'a notification was given up',
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
      // Where command lines send people, too.
      runUrl: `${origin}/app/${organizationName}/${workspaceName}/runs/${runId}`,
      createdByName: nameOf(runCreatedBy),
      updatedByName: nameOf(runUpdatedBy),
    };
  }
}

/** What follows from a try. */
function endOf({ configuration, claim, delivery, failures }: Work, sent: Sent | undefined, now: number) {
  const common = { configurationId: configuration.id, claim, deliveryId: delivery?.id };
  if (sent === undefined) return { ...common, settled: false, failures, dueAt: now };
  if (sent.outcome !== 'failed') return { ...common, settled: true, failures: 0, dueAt: now };
  const dueAt = Math.round(now + pauseAfter(failures + 1, Math.random()));
  return { ...common, settled: isGivenUp((delivery?.tries ?? 0) + 1), failures: failures + 1, dueAt };
}
