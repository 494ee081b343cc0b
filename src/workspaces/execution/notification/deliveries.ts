import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import type {
  Delivery,
  DeliveryPlaces,
  DeliveryTask,
  Ended,
  OrderedEntry,
  OutcomeCounts,
  Queue,
  Sender,
} from '../../delivery/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { Users } from '../../tenancy/index.ts';
import { pusherOf } from '../configuration-version/commits.ts';
import { ingressesOfRuns } from '../configuration-version/ingress.ts';
import type { MailDelivery, MailSent } from './mail/delivery.ts';
import { type AnyStory, type ApprovalCount, messageOf } from './message.ts';
import {
  type DeliveryLabels,
  isDigest,
  isOfAssessment,
  isOfWorkspace,
  type News,
  type StoredMessage,
} from './notification.ts';
import { emails, messages, replaceContent } from './queue-store.ts';
import { givenUpUnsent } from './responses.ts';
import type { NotificationSealing } from './sealing.ts';
import * as store from './store.ts';

/** Returns the approvals of a run; undefined if it needs none. */
export type ApprovalsOf = (db: Queries, runId: string) => Promise<ApprovalCount | undefined>;

/** Dependencies of the queue. */
export interface DeliveriesOptions {
  readonly database: Database;
  readonly users: Pick<Users, 'named'>;
  readonly sealing: NotificationSealing;
  readonly sender: Sender;
  readonly mail: MailDelivery;
  readonly approvals: ApprovalsOf;
  readonly metrics: OutcomeCounts<DeliveryLabels>;
  /** Messages to URLs, or emails. */
  readonly queue: QueueOptions;
  /** Called for dropped messages, without URLs. */
  readonly note: Delivery['note'];
}

/** A part of the outbox that is sent by itself. */
interface QueueOptions extends Pick<Queue<Entry, Result>, 'name' | 'task' | 'outbox' | 'places'> {}

/** @limit concurrent notification requests of a node, requests -> the others wait */
const MOST_DELIVERIES = 32;
/** @limit concurrent notification requests of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 16;
/** @limit concurrent notification requests to one receiver, requests -> the others wait */
const MOST_TO_RECEIVER = 4;
/** @limit attempts to send one notification, attempts -> the notification is dropped */
const MOST_TRIES = 10;

/** @limit concurrent emails of a node, emails -> the others wait */
const MOST_EMAILS = 8;
/** @limit concurrent emails of one organization on a node, emails -> the others wait */
const MOST_EMAILS_OF_ORGANIZATION = 2;

type Row = store.ConfigurationRow;
type Entry = OrderedEntry<Row, StoredMessage>;
/** Result of an attempt. Only emails have recipients that remain. */
type Result = MailSent;

const URL_TASK: DeliveryTask = { name: 'notification-delivery', description: 'Sends due notifications to URLs.' };
const EMAIL_TASK: DeliveryTask = { name: 'email-delivery', description: 'Sends due notifications by email.' };

/** Queue of the messages to URLs. */
export const URL_QUEUE: QueueOptions = {
  name: 'notifications',
  task: URL_TASK,
  outbox: messages,
  places: { all: MOST_DELIVERIES, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_TO_RECEIVER },
};
/** Queue of the emails. Their one receiver is the SMTP server. */
export const EMAIL_QUEUE: QueueOptions = {
  name: 'emails',
  task: EMAIL_TASK,
  outbox: emails,
  places: { all: MOST_EMAILS, ofOrganization: MOST_EMAILS_OF_ORGANIZATION, toReceiver: MOST_EMAILS },
};

/** Queue of notifications, written by outbox.ts. */
export class Deliveries implements Queue<Entry, Result> {
  readonly name: string;
  readonly task: DeliveryTask;
  readonly outbox: QueueOptions['outbox'];
  readonly places: DeliveryPlaces;
  readonly mostTries = MOST_TRIES;
  readonly #options: DeliveriesOptions;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { name, outbox, places, task } = options.queue;
    this.name = name;
    this.task = task;
    this.outbox = outbox;
    this.places = places;
  }

  async attempt({ row, content, messageId }: Entry, signal: AbortSignal): Promise<Result> {
    const { mail, sealing, sender } = this.#options;
    const configuration = store.configurationOf(row, sealing);
    const story = await this.#storyOf(row, content);
    if (row.destinationType === 'email') {
      return mail.deliver(configuration, story, { id: messageId, to: content.to }, signal);
    }
    return sender.send(configuration, messageOf(configuration, story), signal);
  }

  async settle(tx: Transaction, entry: Entry, sent: Result, { verdict }: Ended): Promise<void> {
    const { row, content, messageId, tries } = entry;
    await store.addResponse(tx, row.id, sent.response, this.#options.sealing);
    // Recipients that were accepted get no second copy.
    const isLeft = verdict === 'failed' || verdict === 'postponed';
    if (isLeft && sent.remaining) await replaceContent(tx, messageId, { ...content, to: sent.remaining });
    tx.afterCommit(() => {
      const { metrics, note } = this.#options;
      metrics.count({ destination: row.destinationType, outcome: verdict });
      if (verdict !== 'given_up') return;
      note(
        { ...namesOf(row), ...subjectOf(content), trigger: content.trigger, tries: tries + 1, reason: sent.reason },
        'a notification was dropped after its last attempt',
      );
    });
  }

  async expired(tx: Transaction, row: Row, count: number, now: number): Promise<void> {
    const { metrics, note, sealing } = this.#options;
    const { url } = store.configurationOf(row, sealing);
    await store.addResponse(tx, row.id, givenUpUnsent(url, count, now), sealing);
    tx.afterCommit(() => {
      metrics.count({ destination: row.destinationType, outcome: 'given_up' }, count);
      note({ ...namesOf(row), count }, 'notifications that waited too long were dropped');
    });
  }

  async #storyOf({ origin }: Row, news: News): Promise<AnyStory> {
    if (isDigest(news) || isOfAssessment(news) || isOfWorkspace(news)) return { ...news, origin };
    const { runCreatedBy, runCreatedByName, runUpdatedBy, organizationName, workspaceName, runId } = news;
    const people = [runCreatedBy, runUpdatedBy].flatMap((who) => (who?.type === 'users' ? [who.id] : []));
    const users = people.length === 0 ? [] : await this.#options.users.named([...new Set(people)]);
    const commit = (await ingressesOfRuns(this.#options.database, [runId])).get(runId);
    const needsAttention = news.trigger === 'run:needs_attention';
    const approvals = needsAttention ? await this.#options.approvals(this.#options.database, runId) : undefined;
    const nameOf = (who: Identifier | null) => users.find(({ id }) => id === who?.id)?.username ?? null;
    return {
      ...news,
      // URL of the run. `tofu` and `terraform` print it too.
      runUrl: `${origin}/app/${organizationName}/${workspaceName}/runs/${runId}`,
      commit,
      approvals,
      createdByName: nameOf(runCreatedBy) ?? pusherOf(runCreatedBy.type, runCreatedByName),
      updatedByName: nameOf(runUpdatedBy),
    };
  }
}

function subjectOf(news: News): Readonly<Record<string, string>> {
  if (isDigest(news)) return {};
  if (isOfAssessment(news)) return { assessment: news.result.id };
  return news.runId === null ? {} : { run: news.runId };
}

function namesOf({ id, organizationId, workspaceId }: Row) {
  return {
    notification_configuration: id,
    ...(workspaceId === null ? { organization: organizationId } : { workspace: workspaceId }),
  };
}
