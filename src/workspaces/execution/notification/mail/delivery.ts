import { createHash } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import { isoTime } from '../../../../lib/clock.ts';
import { AppError } from '../../../../lib/errors.ts';
import type { Mailer, MailResult } from '../../../../mail/index.ts';
import type { Database } from '../../../../storage/index.ts';
import type { Outcome, Sent } from '../../../delivery/index.ts';
import { type AnyStory, summaryOf, verificationOf } from '../message.ts';
import type { NotificationConfiguration } from '../notification.ts';
import { mailBody, type Summary } from '../summary.ts';
import { giveQuotaBack, takeQuota } from './quota.ts';
import { readersOf, type Subject, subjectOf } from './readers.ts';
import { type Recipient, recipientsOf } from './recipients.ts';

/** Dependencies of emails. */
export interface MailDeliveryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer | undefined;
}

/** Result of an attempt to send an email. */
export interface MailSent extends Omit<Sent, 'outcome'> {
  readonly outcome: Outcome;
  /** Time of the first attempt of a postponed email, milliseconds since 1970. */
  readonly until?: number;
  /** Keys of the recipients for another attempt; undefined if they stay as they are. */
  readonly remaining?: readonly string[] | undefined;
}

/** An email to send. */
interface Message {
  /** Identifies the message at each attempt. */
  readonly id: string;
  readonly summary: Summary;
  /** Keys of the recipients; undefined for all of the configuration. */
  readonly to: readonly string[] | undefined;
  /** Workspaces of the message; undefined if it is about none. Users who may not read them do not get it. */
  readonly about: Subject | undefined;
}

const NO_SERVER = 'this server has no SMTP server. The operator can configure one with the setting smtp';
const NOBODY_LEFT = 'the configuration has no recipient who may get emails';
const LEFT_OUT = 'left out, because the user may not read the workspace';
/** @limit recipients of an email that a response names, recipients -> the others are counted */
const MOST_NAMED = 10;

/** Sends the emails of configurations. Each recipient that the SMTP server has accepted gets a message once. */
export class MailDelivery {
  readonly #options: MailDeliveryOptions;

  constructor(options: MailDeliveryOptions) {
    this.#options = options;
  }

  /** Sends a message of the outbox. Never rejects because of the SMTP server. */
  deliver(
    configuration: NotificationConfiguration,
    story: AnyStory,
    message: Omit<Message, 'summary' | 'about'>,
    signal: AbortSignal,
  ) {
    return this.#send(configuration, { ...message, summary: summaryOf(story), about: subjectOf(story) }, signal);
  }

  /** Sends a test message to all recipients. @throws 429 if the quota of the organization is used up */
  async verify(configuration: NotificationConfiguration): Promise<MailSent> {
    const { id, name, origin } = configuration;
    const at = this.#options.clock();
    const summary: Summary = {
      sentence: verificationOf(name),
      detail: '',
      subject: ['Notification', id],
      ...{ facts: [], color: '', needsAction: false, at },
      link: { title: 'Open the console', url: `${origin}/app` },
    };
    const sent = await this.#send(configuration, { id: `${id}-${at}`, summary, to: undefined, about: undefined });
    if (sent.outcome !== 'postponed') return sent;
    const retryAfter = Math.max(1, Math.ceil(((sent.until ?? at) - at) / 1000));
    throw new AppError('too-many-requests', `The email was not sent: ${sent.reason}`, { retryAfter });
  }

  async #send(configuration: NotificationConfiguration, message: Message, signal?: AbortSignal): Promise<MailSent> {
    const { clock, database, mailer } = this.#options;
    if (mailer === undefined) return this.#unsent('failed', NO_SERVER, message.to);
    const all = await recipientsOf(database, mailer, configuration);
    const wanted = all.filter(({ key }) => message.to?.includes(key) ?? true);
    const { recipients, leftOut } = await this.#allowed(configuration.organizationId, wanted, message.about);
    if (recipients.length === 0) return this.#unsent('refused', [NOBODY_LEFT, ...leftOut].join('\n'), []);
    const { organizationId } = configuration;
    const until = await takeQuota(database, organizationId, recipients.length, mailer.recipientsPerHour, clock());
    if (until !== undefined) {
      const remaining = recipients.map(({ key }) => key);
      return { ...this.#unsent('postponed', overQuota(mailer.recipientsPerHour, until), remaining), until };
    }
    const { summary } = message;
    const to = recipients.map(({ address }) => address);
    // The ID of a message to the remaining recipients differs: servers may drop a repeated one.
    const id = `${message.id}.${createHash('sha256').update(to.join()).digest('hex').slice(0, 16)}`;
    const footer = `You get this message because of the notification "${configuration.name}" (${configuration.id}).`;
    const body = mailBody(summary, footer);
    const result = await mailer.send({ to, subject: summary.sentence, ...body, id, listId: configuration.id }, signal);
    // Refused recipients count: they are how a server learns to refuse all emails of this one.
    await giveQuotaBack(database, organizationId, result.postponed.length, clock());
    return this.#sentOf(result, recipients, leftOut);
  }

  /** Leaves out users who may not read the workspaces of the message any more. */
  async #allowed(organizationId: string, all: readonly Recipient[], about: Subject | undefined) {
    if (about === undefined) return { recipients: all, leftOut: [] };
    const ids = all.filter(({ isUser }) => isUser).map(({ key }) => key);
    const readers = await readersOf(this.#options.database, organizationId, ids, about);
    const isLeftOut = ({ isUser, key }: Recipient) => isUser && !readers.has(key);
    const leftOut = all.filter(isLeftOut).map(({ key }) => `${key}: ${LEFT_OUT}`);
    return { recipients: all.filter((one) => !isLeftOut(one)), leftOut: shortened(leftOut) };
  }

  #sentOf(result: MailResult, recipients: readonly Recipient[], leftOut: readonly string[]): MailSent {
    const { accepted, code, outcome, postponed, reason, refused } = result;
    const keys = new Map(recipients.map(({ address, key }) => [address, key]));
    const keyOf = ({ address }: { readonly address: string }) => keys.get(address) ?? address;
    const lines = [...refused, ...postponed].map((one) => `${keyOf(one)}: ${one.answer}`);
    const shown = [
      reason,
      `${accepted.length} of ${recipients.length} recipients accepted`,
      ...(accepted.length === 0 ? [] : shortened(lines)),
      ...leftOut,
    ].join('\n');
    return {
      outcome,
      reason,
      remaining: postponed.map(keyOf),
      response: { ...this.#blank(), body: shown, code, successful: outcome === 'arrived' ? 'true' : 'false' },
    };
  }

  #unsent(
    outcome: 'failed' | 'refused' | 'postponed',
    reason: string,
    remaining: readonly string[] | undefined,
  ): MailSent {
    return { outcome, reason, remaining, response: { ...this.#blank(), body: reason, code: '', successful: 'false' } };
  }

  #blank() {
    return { url: '', headers: {}, 'sent-at': isoTime(this.#options.clock()) };
  }
}

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - MOST_NAMED;
  return more > 0 ? [...lines.slice(0, MOST_NAMED), `and ${more} more`] : [...lines];
}

function overQuota(most: number, until: number): string {
  return `the organization has sent as many emails in this hour as the server allows, which is to ${most} recipients. Emails continue at ${isoTime(until)}`;
}
