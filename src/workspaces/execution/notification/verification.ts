import type { OutcomeCounts, Sender, Sent } from '../../delivery/index.ts';
import { Trials } from '../../platform/trials.ts';
import type { MailDelivery, MailSent } from './mail/delivery.ts';
import { messageOf } from './message.ts';
import type { DeliveryLabels, NotificationConfiguration } from './notification.ts';

/** Dependencies of a verification. */
export interface VerificationOptions {
  readonly sender: Sender;
  readonly mail: MailDelivery;
  readonly trials: Trials;
  readonly metrics: OutcomeCounts<DeliveryLabels>;
}

/** Receiver of all emails, which has no limit of its own. */
const MAIL_URL = 'smtp://email';
const MAIL_BUSY = 'Too many emails are being verified. Try again in a few seconds';

/** Sends test messages, for whose result a client waits. */
export class Verification {
  readonly #options: VerificationOptions;
  /** Verifications by email have their own places, because all of them go to one server, which may hang. */
  readonly #mailTrials = new Trials(MAIL_BUSY, Number.POSITIVE_INFINITY);

  constructor(options: VerificationOptions) {
    this.#options = options;
  }

  /**
   * Sends a test message. Call it outside of transactions. Takes at most as long as a delivery.
   * @throws 429 for too many verifications
   */
  async run(configuration: NotificationConfiguration): Promise<Sent | MailSent> {
    const { mail, metrics, sender, trials } = this.#options;
    const { organizationId, destinationType } = configuration;
    const isMail = destinationType === 'email';
    const sent = await (isMail
      ? this.#mailTrials.run(organizationId, MAIL_URL, () => mail.verify(configuration))
      : trials.run(organizationId, configuration.url, () => sender.send(configuration, messageOf(configuration))));
    metrics.count({ destination: destinationType, outcome: sent.outcome === 'arrived' ? 'verified' : 'not_verified' });
    return sent;
  }
}
