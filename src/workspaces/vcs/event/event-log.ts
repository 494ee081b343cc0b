import type { Transaction } from '../../../storage/index.ts';
import type { EventDetails } from './event.ts';
import * as store from './store.ts';

/** @limit title of a pull request that is stored, characters -> it is truncated */
const MAX_TITLE = 1024;
/** @limit body of a pull request that is stored, characters -> it is truncated */
const MAX_BODY = 65_536;

type NewEvent = Parameters<typeof store.insertEvent>[1];

type EventListener = (
  tx: Transaction,
  event: Pick<store.EventRow, 'id' | 'repositoryId' | 'afterId' | 'details'>,
  now: number,
) => Promise<void>;

/** Stores the events that look-ups find. */
export class EventLog {
  readonly #wake: () => void;
  readonly #onAdded: EventListener;

  /**
   * @param wake starts to work on due events at once
   * @param onAdded called in the transaction that stores an event
   */
  constructor(wake: () => void, onAdded: EventListener) {
    this.#wake = wake;
    this.#onAdded = onAdded;
  }

  async add(tx: Transaction, event: NewEvent, now: number): Promise<void> {
    await store.insertEvent(tx, { ...event, details: bounded(event.details) }, now);
    await this.#onAdded(tx, { ...event, details: JSON.stringify(event.details) }, now);
    tx.afterCommit(this.#wake);
  }
}

/** Truncates the texts of strangers. */
function bounded({ pull, ...details }: EventDetails): EventDetails {
  if (pull === null) return { ...details, pull };
  return { ...details, pull: { ...pull, title: pull.title.slice(0, MAX_TITLE), body: pull.body.slice(0, MAX_BODY) } };
}
