import type { Clock } from '../../../../lib/clock.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../../storage/index.ts';
import type { DestinationType, Digest, DigestNews } from '../notification.ts';
import { messages } from '../queue-store.ts';
import { nextDigestAt } from './rules.ts';
import * as store from './store.ts';

/** Dependencies of the digests. */
export interface DigestsOptions {
  readonly clock: Clock;
  /** Called after commit for a digest that was not queued, because too many messages wait. */
  readonly skipped: (destination: DestinationType) => void;
}

const HOUR = 3_600_000;
/** Digests follow the events of their moment. */
const LAST = 1000;

/**
 * Stores the daily digests that are due. The node that moves the next time stores the message (optimistic concurrency),
 * so each digest is sent once. A server that was down sends one digest, not one for each day.
 */
export class Digests {
  readonly #options: DigestsOptions;

  constructor(options: DigestsOptions) {
    this.#options = options;
  }

  due(db: Queries): Promise<string[]> {
    return store.dueDigests(db, this.#options.clock());
  }

  /** The digest is tried again in an hour. */
  async postpone(tx: Transaction, id: string): Promise<void> {
    const now = this.#options.clock();
    const found = await store.findDigest(tx, id);
    if (found !== undefined && found.digestAt <= now) await store.moveDigest(tx, id, found.digestAt, now + HOUR);
  }

  /** Stores the digest of one configuration. Without anything that waits, there is no message. */
  async reconcile(tx: Transaction, id: string): Promise<void> {
    const { clock, skipped } = this.#options;
    const now = clock();
    const found = await store.findDigest(tx, id);
    if (found === undefined || found.digestAt > now) return;
    const digest = JSON.parse(found.digest) as Digest;
    if (!(await store.moveDigest(tx, id, found.digestAt, nextDigestAt(digest, now)))) return;
    const sections = await store.waitingIn(tx, found, now - digest['waiting-hours'] * HOUR);
    if (sections.length === 0) return;
    const { destinationType, organizationName, scopeName } = found;
    const content: DigestNews = { trigger: 'digest', organizationName, scopeName, sections, happenedAt: now };
    const message = { id: prefixedId('nd', now), rowId: id, content, place: LAST, createdAt: now };
    if (!(await messages.add(tx, message))) tx.afterCommit(() => skipped(destinationType));
  }
}
