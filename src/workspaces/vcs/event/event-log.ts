import type { Transaction } from '../../../storage/index.ts';
import type { EventDetails } from './event.ts';
import * as store from './store.ts';

/** @limit title of a pull request that is stored, characters -> it is truncated */
const MAX_TITLE = 1024;
/** @limit body of a pull request that is stored, characters -> it is truncated */
const MAX_BODY = 65_536;

type NewEvent = Parameters<typeof store.insertEvent>[1];

/** Stores the events that look-ups find. */
export class EventLog {
  readonly #wake: () => void;

  /** @param wake starts to work on due events at once */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  async add(tx: Transaction, event: NewEvent, now: number): Promise<void> {
    await store.insertEvent(tx, { ...event, details: bounded(event.details) }, now);
    tx.afterCommit(this.#wake);
  }
}

/** Truncates the texts of strangers. */
function bounded({ pull, ...details }: EventDetails): EventDetails {
  if (pull === null) return { ...details, pull };
  return { ...details, pull: { ...pull, title: pull.title.slice(0, MAX_TITLE), body: pull.body.slice(0, MAX_BODY) } };
}
