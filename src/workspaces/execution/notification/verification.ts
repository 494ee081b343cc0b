import type { OutcomeCounts, Sender, Sent } from '../../delivery/index.ts';
import type { Trials } from '../../platform/trials.ts';
import type { MailDelivery } from './mail/delivery.ts';
import { messageOf } from './message.ts';
import type { DeliveryLabels, NotificationConfiguration } from './notification.ts';

/** Dependencies of a verification. */
export interface VerificationOptions {
  readonly sender: Sender;
  readonly mail: MailDelivery;
  readonly trials: Trials;
  readonly metrics: OutcomeCounts<DeliveryLabels>;
}

/** Receiver of all emails, for the limits of verifications. */
const MAIL_URL = 'smtp://email';

/** Sends test messages, for whose result a client waits. */
export class Verification {
  readonly #options: VerificationOptions;

  constructor(options: VerificationOptions) {
    this.#options = options;
  }

  /**
   * Sends a test message. Call it outside of transactions. Takes at most as long as a delivery.
   * @throws 429 for too many verifications
   */
  async run(configuration: NotificationConfiguration): Promise<Sent> {
    const { mail, metrics, sender, trials } = this.#options;
    const { organizationId, destinationType } = configuration;
    const isMail = destinationType === 'email';
    const sent = await trials.run(organizationId, isMail ? MAIL_URL : configuration.url, () =>
      isMail ? mail.verify(configuration) : sender.send(configuration, messageOf(configuration)),
    );
    metrics.count({ destination: destinationType, outcome: sent.outcome === 'arrived' ? 'verified' : 'not_verified' });
    return sent;
  }
}
