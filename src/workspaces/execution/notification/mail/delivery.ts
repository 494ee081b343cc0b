import { createHash } from 'node:crypto';
import type { Clock } from '../../../../lib/clock.ts';
import { isoTime } from '../../../../lib/clock.ts';
import type { Mailer, MailResult } from '../../../../mail/index.ts';
import type { Database } from '../../../../storage/index.ts';
import type { Sent } from '../../../delivery/index.ts';
import { type AnyStory, summaryOf, verificationOf } from '../message.ts';
import type { NotificationConfiguration } from '../notification.ts';
import { mailBody, type Summary } from '../summary.ts';
import { type Recipient, recipientsOf } from './recipients.ts';

/** Dependencies of emails. */
export interface MailDeliveryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly mailer: Mailer | undefined;
}

/** Result of an attempt to send an email. */
export interface MailSent extends Sent {
  /** Keys of the recipients for another attempt. */
  readonly remaining: readonly string[];
}

/** An email to send. */
interface Message {
  /** Identifies the message at each attempt. */
  readonly id: string;
  readonly summary: Summary;
  /** Keys of the recipients; undefined for all of the configuration. */
  readonly to: readonly string[] | undefined;
}

const NO_SERVER = 'this server has no SMTP server. The operator can configure one with the setting smtp';
const NOBODY_LEFT = 'the configuration has no recipient who may get emails';
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
    message: Omit<Message, 'summary'>,
    signal: AbortSignal,
  ) {
    return this.#send(configuration, { ...message, summary: summaryOf(story) }, signal);
  }

  /** Sends a test message to all recipients. */
  verify(configuration: NotificationConfiguration): Promise<MailSent> {
    const { id, name, origin } = configuration;
    const at = this.#options.clock();
    const summary: Summary = {
      sentence: verificationOf(name),
      detail: '',
      subject: ['Notification', id],
      ...{ facts: [], color: '', needsAction: false, at },
      link: { title: 'Open the console', url: `${origin}/app` },
    };
    return this.#send(configuration, { id: `${id}-${at}`, summary, to: undefined });
  }

  async #send(configuration: NotificationConfiguration, message: Message, signal?: AbortSignal): Promise<MailSent> {
    const { database, mailer } = this.#options;
    if (mailer === undefined) return this.#unsent('failed', NO_SERVER, message.to ?? []);
    const all = await recipientsOf(database, mailer, configuration);
    const recipients = all.filter(({ key }) => message.to?.includes(key) ?? true);
    if (recipients.length === 0) return this.#unsent('refused', NOBODY_LEFT, []);
    const { summary } = message;
    const to = recipients.map(({ address }) => address);
    // The ID of a message to the remaining recipients differs: servers may drop a repeated one.
    const id = `${message.id}.${createHash('sha256').update(to.join()).digest('hex').slice(0, 16)}`;
    const footer = `You get this message because of the notification "${configuration.name}" (${configuration.id}).`;
    const body = mailBody(summary, footer);
    const result = await mailer.send({ to, subject: summary.sentence, ...body, id, listId: configuration.id }, signal);
    return this.#sentOf(result, recipients);
  }

  #sentOf(result: MailResult, recipients: readonly Recipient[]): MailSent {
    const { accepted, code, outcome, postponed, reason, refused } = result;
    const keys = new Map(recipients.map(({ address, key }) => [address, key]));
    const keyOf = ({ address }: { readonly address: string }) => keys.get(address) ?? address;
    const lines = [...refused, ...postponed].map((one) => `${keyOf(one)}: ${one.answer}`);
    const shown = [
      reason,
      `${accepted.length} of ${recipients.length} recipients accepted`,
      ...(accepted.length === 0 ? [] : lines.slice(0, MOST_NAMED)),
      ...(accepted.length > 0 && lines.length > MOST_NAMED ? [`and ${lines.length - MOST_NAMED} more`] : []),
    ].join('\n');
    return {
      outcome,
      reason,
      remaining: postponed.map(keyOf),
      response: { ...this.#blank(), body: shown, code, successful: outcome === 'arrived' ? 'true' : 'false' },
    };
  }

  #unsent(outcome: 'failed' | 'refused', reason: string, remaining: readonly string[]): MailSent {
    return { outcome, reason, remaining, response: { ...this.#blank(), body: reason, code: '', successful: 'false' } };
  }

  #blank() {
    return { url: '', headers: {}, 'sent-at': isoTime(this.#options.clock()) };
  }
}
