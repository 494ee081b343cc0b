import type { BackgroundWork } from '../../lib/background/background-work.ts';
import { Mailer, type MailSettings } from '../../mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { fragment, select } from '../query/dynamic.ts';
import type { DeliveryLoop } from './delivery-loop.ts';
import type { Attempt, Entry, Outbox, Queue } from './queue.ts';
import { Relay } from './relay.ts';
import { Sender, type SenderOptions } from './sender.ts';

/** Log entry: `message` describes the outcome, `event` the subject. */
type DeliveryNote = (event: Readonly<Record<string, string | number>>, message: string) => void;

/** Operator settings, and the log of dropped messages. */
export interface DeliveryOptions extends SenderOptions {
  /** SMTP server; absent: no email is sent. */
  readonly mail?: MailSettings;
  /** Called for dropped messages, without URLs. */
  readonly note?: DeliveryNote;
}

/** Unsent messages of one queue. */
export interface PendingMessages {
  readonly queue: string;
  readonly pending: number;
  /** Seconds since the oldest message was due; 0 if none is due. */
  readonly oldest: number;
}

/** Queues of messages to receivers, and how they are sent. */
export class Delivery {
  readonly #platform: Pick<Platform, 'clock' | 'database' | 'report'>;
  readonly #options: DeliveryOptions;
  readonly #outboxes: { readonly name: string; readonly outbox: Pick<Outbox<Entry>, 'pending'> }[] = [];
  readonly #loops: BackgroundWork[] = [];
  readonly #end = new AbortController();
  readonly note: DeliveryNote;
  /** Sends emails; undefined without an SMTP server. */
  readonly mailer: Mailer | undefined;

  constructor(platform: Pick<Platform, 'clock' | 'database' | 'report'>, options: DeliveryOptions = {}) {
    this.#platform = platform;
    this.#options = options;
    this.note = options.note ?? (() => {});
    this.mailer = options.mail && new Mailer(options.mail, platform.clock);
  }

  /** Background tasks of the declared queues. */
  get background(): readonly BackgroundWork[] {
    return this.#loops;
  }

  /** Aborted when this node stops, and the time of receivers to respond is over. */
  get end(): AbortSignal {
    return this.#end.signal;
  }

  /**
   * Declares a queue, while the server creates its modules. Its messages are counted in the metrics, and sent by a
   * background task.
   */
  add<E extends Entry, A extends Attempt>(queue: Queue<E, A>): DeliveryLoop<unknown> {
    const { loop } = new Relay(this.#platform, queue);
    this.#outboxes.push(queue);
    this.#loops.push(loop);
    loop.signal.addEventListener('abort', () => this.#end.abort(), { once: true });
    return loop;
  }

  /**
   * Creates a sender to URLs that users configure.
   * @param signatureHeader header for the signature
   */
  sender(signatureHeader: string): Sender {
    return new Sender(this.#platform.clock, signatureHeader, this.#options);
  }

  /** Returns the unsent messages of each queue, in the order of their names. */
  async pending(): Promise<PendingMessages[]> {
    const { clock, database } = this.#platform;
    if (this.#outboxes.length === 0) return [];
    const rows = await select(
      database,
      fragment<{ queue: string; pending: number; dueAt: number | null }>`${fragment.join(
        this.#outboxes.map(({ name, outbox }) => outbox.pending(name)),
        fragment` union all `,
      )} order by queue`,
    );
    const secondsSince = (time: number | null) => (time === null ? 0 : Math.max(0, (clock() - time) / 1000));
    return rows.map(({ queue, pending, dueAt }) => ({ queue, pending, oldest: secondsSince(dueAt) }));
  }
}
