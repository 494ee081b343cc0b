import type { Clock } from '../../../../lib/clock.ts';
import { AppError } from '../../../../lib/errors.ts';
import { prefixedId } from '../../../../lib/ids.ts';
import type { Database, Transaction } from '../../../../storage/index.ts';
import { notFound } from '../../../jsonapi/errors.ts';
import { type Actor, principalIn } from '../../../tenancy/index.ts';
import type { RunFinder } from '../finder.ts';
import type { RunComment, RunEvent } from './event-store.ts';
import * as store from './event-store.ts';

export type { RunComment, RunEvent } from './event-store.ts';

/**
 * Every document of a run links to all of its comments.
 * @limit comments of a run, comments -> 409
 */
const MAX_COMMENTS = 100;

/**
 * Adds a comment in the transaction of the action that it explains.
 * @throws 409 when the run has too many comments
 */
export async function insertComment(tx: Transaction, comment: RunComment): Promise<void> {
  if (await store.addComment(tx, comment, MAX_COMMENTS)) return;
  throw new AppError('conflict', `A run has at most ${MAX_COMMENTS} comments`);
}

/** Comments and events of runs. */
export class RunComments {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: RunFinder;

  constructor(database: Database, clock: Clock, finder: RunFinder) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
  }

  /**
   * Returns the names of users, teams and agents by their ids. The caller has checked that the actor may see the run.
   */
  names(of: readonly ({ readonly id: string } | null)[]): Promise<ReadonlyMap<string, string>> {
    return store.userNames(this.#database, [...new Set(of.flatMap((one) => (one === null ? [] : [one.id])))]);
  }

  /** Returns the comments, oldest first. @throws 404 when the actor may not see the run */
  async list(actor: Actor, runId: string): Promise<RunComment[]> {
    await this.#finder.find(actor, runId);
    return store.commentsOf(this.#database, runId);
  }

  /**
   * Finds a comment.
   * @throws 404 when it does not exist, or the actor may not see its run
   */
  async find(actor: Actor, id: string): Promise<RunComment> {
    return this.#finder.owner(actor, await store.commentById(this.#database, id));
  }

  /** Adds a comment to a run. @throws 404 without permission, 409 when the run has too many comments */
  async create(actor: Actor, runId: string, body: string): Promise<RunComment> {
    const { organizationId, permissions } = await this.#finder.find(actor, runId);
    if (!permissions.comment) throw notFound();
    const now = this.#clock();
    const createdBy = principalIn(actor, organizationId);
    const comment = { id: prefixedId('comment', now), runId, body, createdBy, createdAt: now };
    const said = { action: 'commented', actor: createdBy, commentId: comment.id, description: null, createdAt: now };
    await this.#database.transaction(async (tx) => {
      await insertComment(tx, comment);
      await store.addEvent(tx, { id: prefixedId('re', now), runId, ...said });
    });
    return comment;
  }

  /**
   * Returns the events in the order in which they happened.
   * @throws 404 when the actor may not see the run
   */
  async events(actor: Actor, runId: string): Promise<RunEvent[]> {
    await this.#finder.find(actor, runId);
    return store.eventsOf(this.#database, runId);
  }

  /**
   * Finds an event.
   * @throws 404 when it does not exist, or the actor may not see its run
   */
  async event(actor: Actor, id: string): Promise<RunEvent> {
    return this.#finder.owner(actor, await store.eventById(this.#database, id));
  }

  /** Returns the comments that the events refer to. */
  async ofEvents(events: readonly RunEvent[]): Promise<RunComment[]> {
    const runs = new Set(events.flatMap(({ runId, commentId }) => (commentId === null ? [] : [runId])));
    const said = await Promise.all([...runs].map((runId) => store.commentsOf(this.#database, runId)));
    const wanted = new Set(events.map(({ commentId }) => commentId));
    return said.flat().filter(({ id }) => wanted.has(id));
  }

  /** Returns the ids of the events and comments of each run. */
  pointersOf(runIds: readonly string[]) {
    return store.pointersOf(this.#database, runIds);
  }
}
