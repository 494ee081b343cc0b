import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Keyring } from '../../../storage/index.ts';
import type { TaskActor } from '../../tenancy/index.ts';
import { resultOpenedBy } from './callback-token.ts';
import * as outcomeStore from './outcome-store.ts';
import type { ResultStore } from './result-store.ts';
import type { CallbackInput } from './schema.ts';
import { isAwaited, isTaskOver, type TaskOutcome, type TaskResult } from './task-stage.ts';
import { deadline } from './timeouts.ts';
import type { StageWalk } from './walk.ts';

/** Dependencies of `TaskCallbacks`. */
export interface TaskCallbacksOptions {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly results: ResultStore;
  readonly walk: StageWalk;
}

/** Reports of run task services. Each request has its own token, which expires with the final report. */
export class TaskCallbacks {
  readonly #options: TaskCallbacksOptions;

  constructor(options: TaskCallbacksOptions) {
    this.#options = options;
  }

  /** Returns whether the token belongs to that result and the result is not final. */
  async admits(token: string, resultId: string): Promise<boolean> {
    const { database, keyring, results } = this.#options;
    if (resultOpenedBy(keyring, token) !== resultId) return false;
    const result = await results.byId(database, resultId);
    return result !== undefined && isAwaited(result);
  }

  /** Returns the actor for the token of a result that is not final: it may read the run. */
  async actor(token: string): Promise<TaskActor | undefined> {
    const { database, keyring, results } = this.#options;
    const resultId = resultOpenedBy(keyring, token);
    const subject = resultId && (await this.admits(token, resultId)) && (await results.subject(database, resultId));
    if (!resultId || !subject) return undefined;
    return { kind: 'task', resultId, ...subject, credential: '', grants: new Map() };
  }

  /** Stores a report. @throws 401 when the result is final */
  async record(resultId: string, { attributes, relationships }: CallbackInput): Promise<TaskResult> {
    const { clock, database, results, walk } = this.#options;
    const { status, message, url } = attributes;
    const outcomes = relationships?.outcomes?.data;
    return database.transaction(async (tx) => {
      const now = clock();
      const before = await results.byId(tx, resultId);
      const dueAt = isTaskOver(status) ? {} : { dueAt: deadline(before?.beganAt ?? now, now) };
      const said = { status, message: message ?? undefined, url: url ?? undefined, ...dueAt };
      const result = await walk.record(tx, resultId, said, now);
      if (result === undefined) throw dead();
      if (outcomes) await outcomeStore.replaceOutcomes(tx, resultId, outcomes.map(outcomeOf(resultId, now)));
      return result;
    });
  }
}

/** Returns the error for an invalid token. */
export function dead(): AppError {
  return new AppError('unauthenticated', 'The token is missing or unknown, or the result is final already');
}

type Outcomes = NonNullable<NonNullable<NonNullable<CallbackInput['relationships']>['outcomes']>['data']>;

const outcomeOf =
  (resultId: string, now: number) =>
  ({ attributes }: Outcomes[number]): TaskOutcome => ({
    id: prefixedId('toc', now),
    resultId,
    outcomeId: attributes['outcome-id'] ?? '',
    description: attributes.description ?? '',
    body: attributes.body ?? '',
    url: attributes.url ?? '',
    tags: (attributes.tags ?? {}) as TaskOutcome['tags'],
  });
