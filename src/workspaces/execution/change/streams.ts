import type { BackgroundTask, BackgroundWork } from '../../../lib/background/background-work.ts';
import { PeriodicTask } from '../../../lib/background/periodic-task.ts';
import type { TaskDefinition } from '../../../lib/background/task-definition.ts';
import { AppError } from '../../../lib/errors.ts';
import { notFound } from '../../jsonapi/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type Actor,
  type Authentication,
  granteeOf,
  grantIn,
  organizationWideAccess,
  showsWorkspace,
} from '../../tenancy/index.ts';
import type { WorkspaceFinder } from '../../workspace/index.ts';
import { ChangeFeed } from './feed.ts';
import { type Change, isBehind, KEPT_MS, removeOldChanges } from './journal.ts';
import { ChangeStream } from './stream.ts';

/** @limit event streams of one token on one process, streams -> 429 */
const MAX_OF_TOKEN = 20;
/** Interval of keep-alive messages, and of the check that the token of a stream is still valid. */
const BEAT_MS = 10_000;
const SWEEP: TaskDefinition = {
  name: 'change-journal-sweep',
  description: 'Deletes old entries of the journal from which event streams are read.',
  runsOn: 'leader',
  period: 60_000,
};
/** @limit steps of one sweep of the change journal, steps -> the next sweep continues */
const MAX_STEPS = 20;

/** Position where a stream stopped: the place in the journal, and the time. */
const PLACE = /^(\d{1,16})-(\d{1,16})$/;

/** Dependencies of `ChangeStreams`. */
export interface ChangeStreamsOptions extends Pick<Platform, 'database' | 'clock' | 'report'> {
  readonly authentication: Pick<Authentication, 'recall'>;
  readonly finder: WorkspaceFinder;
}

/**
 * Event streams: notify clients of changes to the runs, workspaces and locks that they may see. Events contain only
 * ids; clients request the details.
 */
export class ChangeStreams implements BackgroundWork {
  readonly #options: ChangeStreamsOptions;
  readonly #feed: ChangeFeed;
  readonly #streams = new Set<ChangeStream>();
  readonly #sweep: PeriodicTask;
  #beating: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: ChangeStreamsOptions) {
    const { database, report } = options;
    this.#options = options;
    this.#feed = new ChangeFeed(database, (changes) => this.#emit(changes), report);
    this.#sweep = PeriodicTask.every(SWEEP, () => this.#forget(), report);
  }

  /**
   * Opens a stream of changes from now on. The stream ends when the token expires or is revoked.
   * @param place position of an earlier stream, so that the client learns whether it missed changes
   * @throws 429 when the token has too many streams; 404 for agents and run task services, which cannot open streams
   */
  async open(actor: Actor, address: string, place: string | undefined): Promise<ChangeStream> {
    if (actor.kind === 'agent' || actor.kind === 'task') throw notFound();
    if (this.#isOver) throw new AppError('unavailable', 'The server is stopping');
    const own = [...this.#streams].filter(({ actor: { credential } }) => credential === actor.credential);
    if (own.length >= MAX_OF_TOKEN) {
      throw new AppError(
        'too-many-requests',
        `A token can have at most ${MAX_OF_TOKEN} event streams. Close one first`,
      );
    }
    const stream = new ChangeStream(actor, address);
    this.#streams.add(stream);
    stream.once('close', () => this.#close(stream));
    try {
      await this.#feed.begin();
      stream.push(': events follow\n\n');
      if (place !== undefined && (await this.#hasMissed(place))) stream.reload();
    } catch (error) {
      stream.destroy();
      throw error;
    }
    void this.#place().then((from) => stream.beat(from), this.#options.report);
    this.#beating ??= setInterval(() => void this.#beat().catch(this.#options.report), BEAT_MS).unref();
    return stream;
  }

  get tasks(): readonly BackgroundTask[] {
    return this.#sweep.tasks;
  }

  start(...turns: Parameters<BackgroundWork['start']>): void {
    this.#sweep.start(...turns);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const stream of this.#streams) stream.end();
    clearInterval(this.#beating);
    await this.#feed.end();
    await this.#sweep.stop();
  }

  #close(stream: ChangeStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#beating);
    this.#beating = undefined;
    void this.#feed.end();
  }

  async #hasMissed(place: string): Promise<boolean> {
    const [, clock, at] = PLACE.exec(place) ?? [];
    if (clock === undefined || Number(at) < this.#options.clock() - KEPT_MS / 2) return true;
    return isBehind(this.#options.database, Number(clock));
  }

  async #beat(): Promise<void> {
    const place = await this.#place();
    const recall = this.#recalling();
    for (const stream of this.#streams) {
      if (await recall(stream)) stream.beat(place);
    }
  }

  async #place(): Promise<string | undefined> {
    const clock = await this.#feed.clock();
    return clock === undefined ? undefined : `${clock}-${this.#options.clock()}`;
  }

  async #emit(changes: readonly Change[] | undefined): Promise<void> {
    if (changes === undefined) {
      for (const stream of this.#streams) stream.reload();
      return;
    }
    const ofOrganizations = Map.groupBy(changes, ({ organizationId }) => organizationId);
    const place = await this.#place();
    const recall = this.#recalling();
    const seen = this.#seeing();
    for (const stream of this.#streams) {
      const concerns = [...ofOrganizations].filter(([id]) => stream.actor.grants.has(id));
      // Permissions are checked again for each batch, because the token may be revoked and grants may change.
      if (concerns.length === 0 || !(await recall(stream))) continue;
      for (const [id, happened] of concerns) {
        const shown = stream.actor.grants.has(id) ? await seen(stream.actor, id, happened) : [];
        if (shown.length > 0) stream.pushChanges(shown);
      }
      stream.beat(place);
    }
  }

  /**
   * Returns a function that authenticates the token of a stream again, once for each token, and ends the stream if
   * the token is not valid.
   */
  #recalling(): (stream: ChangeStream) => Promise<boolean> {
    const { authentication, clock } = this.#options;
    const known = new Map<string, Promise<Actor | undefined>>();
    return async (stream) => {
      const { credential } = stream.actor;
      const key = `${credential} ${stream.address}`;
      const asked = known.get(key) ?? authentication.recall(credential, stream.address, clock());
      known.set(key, asked);
      const actor = await asked;
      if (actor) stream.actor = actor;
      else stream.end();
      return actor !== undefined;
    };
  }

  /**
   * Returns a function that filters the changes in an organization by what the actor may see. Actors with the same
   * permissions share the result.
   */
  #seeing(): (actor: Actor, organizationId: string, changes: readonly Change[]) => Promise<readonly Change[]> {
    const known = new Map<string, Promise<readonly Change[]>>();
    return (actor, organizationId, changes) => {
      const grant = grantIn(actor, organizationId);
      const wide = organizationWideAccess(grant);
      const key = `${organizationId} ${granteeOf(actor, organizationId)} ${JSON.stringify(wide)}`;
      const asked = known.get(key) ?? this.#visibleChanges(actor, organizationId, changes, showsWorkspace(wide));
      known.set(key, asked);
      return asked;
    };
  }

  async #visibleChanges(actor: Actor, organizationId: string, changes: readonly Change[], seesAll: boolean) {
    const ids = [...new Set(changes.map(({ workspaceId }) => workspaceId))];
    const views = await this.#options.finder.readable(actor, organizationId, ids);
    const byId = new Map(views.map(({ id, permissions }) => [id, permissions]));
    return changes.filter(({ kind, workspaceId }) => {
      const permissions = byId.get(workspaceId);
      // A deletion is reported only to actors who see all workspaces.
      if (permissions === undefined) return seesAll && kind === 'workspace';
      return kind !== 'run' || permissions['can-read-run'];
    });
  }

  async #forget(): Promise<void> {
    for (let taken = 0; taken < MAX_STEPS && (await removeOldChanges(this.#options.database)) > 0; taken++);
  }
}
