import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, Queue } from '../../delivery/index.ts';
import type { EventDetails } from '../event/event.ts';
import type { EventLog } from '../event/event-log.ts';
import { type Hints, readHints, settleHints } from '../hook/hints.ts';
import type { Hook } from '../hook/hook.ts';
import type { HookChange, HookKeeper } from '../hook/keeper.ts';
import { type Failure, failureOf, NO_REPOSITORY } from '../repository/failures.ts';
import type { ConnectionOpener, OpenedConnection } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import * as repositoryStore from '../repository/store.ts';
import { type Look, look } from './look.ts';
import { isForkOf, type PullChange } from './pulls.ts';
import { defaultBranchOf, type RefChange } from './refs.ts';
import { MOST_COUNTED, nextLookUp } from './schedule.ts';
import * as store from './store.ts';

/** @limit concurrent look-ups of repositories of a node, requests -> the others wait */
const MOST_AT_ONCE = 16;
/** @limit concurrent look-ups of repositories of one organization, requests -> the others wait */
const MOST_OF_ORGANIZATION = 8;
/** @limit concurrent look-ups of repositories at one host, requests -> the others wait */
const MOST_AT_HOST = 4;
/** @limit first runs of workspaces that one look-up starts, workspaces -> the others follow in the next look-up */
const MOST_FIRST_RUNS = 200;
/** Interval at which a connection that was never checked is considered again, milliseconds. */
const UNCHECKED_PAUSE = 60_000;

/** Result of a look-up. */
interface LookedUp extends Attempt {
  /** unused: no workspace follows the repository. unchecked: the connection was never checked. */
  readonly is: 'found' | 'failed' | 'unused' | 'unchecked';
  readonly found?: Look;
  readonly failure?: Failure;
  readonly firstRuns?: readonly store.FirstRun[];
  readonly hints?: Hints;
  readonly hook?: Hook | undefined;
  readonly hookChange?: HookChange | undefined;
}

/** Dependencies of the queue. */
export interface LookUpsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly opener: ConnectionOpener;
  readonly hooks: HookKeeper;
  readonly events: EventLog;
}

/**
 * Queue that looks up what has changed in repositories: at intervals, and at once after a delivery of a webhook. Both
 * find changes in the same way, so a lost or forged delivery makes no difference.
 */
export class LookUps implements Queue<Entry<Repository>, LookedUp> {
  readonly name = 'vcs_look_ups';
  readonly task: DeliveryTask = {
    name: 'vcs-look-ups',
    description: 'Looks up branches, tags and pull requests of repositories that workspaces follow.',
  };
  readonly outbox = repositoryStore.lookUps;
  readonly places = { all: MOST_AT_ONCE, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_AT_HOST };
  readonly #options: LookUpsOptions;

  constructor(options: LookUpsOptions) {
    this.#options = options;
  }

  async attempt({ row }: Entry<Repository>): Promise<LookedUp> {
    try {
      return await this.#lookUp(row);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.health === 'forbidden') await this.#options.opener.checkSoon(row.connectionId);
      return { is: 'failed', outcome: 'failed', failure };
    }
  }

  async #lookUp(row: Repository): Promise<LookedUp> {
    const { clock, database, hooks, opener } = this.#options;
    const wanted = await store.wantedOf(database, row.id);
    const opened = await opener.open(database, row.connectionId);
    const hook = await hooks.find(database, row.id);
    if (wanted === undefined || opened === 'gone') return await this.#endUse(row, opened, hook);
    if (opened === 'unchecked') return { is: 'unchecked', outcome: 'arrived' };
    const hints = await readHints(database, row.id);
    const firstRuns = await store.firstRunsOf(database, row.id, MOST_FIRST_RUNS);
    const now = clock();
    const found = await look(database, row, opened, { wanted, now, isChanged: hints.isRepositoryChanged });
    if (found === undefined) return { is: 'failed', outcome: 'failed', failure: NO_REPOSITORY };
    const hookChange = await hooks.keep(row, opened, hook);
    return { is: 'found', outcome: 'arrived', found, hints, firstRuns, hook, hookChange };
  }

  /** A hook that cannot be removed stays; its deliveries get 404. */
  async #endUse(
    row: Repository,
    opened: OpenedConnection | 'gone' | 'unchecked',
    hook: Hook | undefined,
  ): Promise<LookedUp> {
    const hookChange = typeof opened === 'string' ? undefined : await this.#options.hooks.remove(row, opened, hook);
    return { is: 'unused', outcome: 'arrived', hookChange };
  }

  async settle(tx: Transaction, { row }: Entry<Repository>, result: LookedUp, { dueAt, now }: Ended): Promise<void> {
    if (result.hookChange) await this.#options.hooks.store(tx, result.hookChange, now);
    if (result.is === 'unused') return repositoryStore.scheduleLookUp(tx, row, now, null).then(() => {});
    if (result.is === 'failed') return this.#settleFailure(tx, row, result.failure, dueAt, now);
    if (result.is === 'unchecked') return this.#schedule(tx, row, now, now + UNCHECKED_PAUSE);
    const { found, hints, firstRuns = [] } = result;
    if (found === undefined || hints === undefined) return;
    const { described } = found;
    if (described) await repositoryStore.describeRepository(tx, row.id, described, now);
    const defaultBranch = defaultBranchOf(found.refs) ?? described?.defaultBranch ?? null;
    await repositoryStore.setDefaultBranch(tx, row.id, defaultBranch);
    await store.writeRefs(tx, row.id, found.diff);
    await store.writePulls(tx, row.id, found.pulls.rows, now);
    for (const change of found.diff.changes) await this.#addPush(tx, row, change, hints, now);
    for (const change of found.pulls.changes) await this.#addPull(tx, row, change, hints, now);
    const first = await this.#startFirst(tx, row, found, firstRuns, now);
    const count = found.diff.changes.length + found.pulls.changes.length;
    await settleHints(tx, row.id, hints, count > 0 ? `found ${count} changes` : 'found no change');
    await repositoryStore.setHealth(tx, row.id, { health: 'ok', reason: null }, now);
    await repositoryStore.setLookedAt(tx, row.id, found.pulls.etag, now);
    const isMissed = count > 0 && hints.deliveries.length === 0;
    if (isMissed && result.hook) await this.#options.hooks.missed(tx, result.hook);
    const isCut = found.diff.isCut || found.pulls.isCut || first === MOST_FIRST_RUNS;
    if (isCut) return this.#schedule(tx, row, now, now);
    const hookWorks = !isMissed && (result.hook?.lastDeliveryAt ?? null) !== null;
    const host = new URL((described ?? row).gitUrl).host;
    const polled = await repositoryStore.countPolledAt(tx, host, MOST_COUNTED);
    return this.#schedule(tx, row, now, nextLookUp(row.id, now, hookWorks, polled));
  }

  async #settleFailure(
    tx: Transaction,
    row: Repository,
    failure: Failure | undefined,
    dueAt: number,
    now: number,
  ): Promise<void> {
    if (failure === undefined) return;
    await repositoryStore.setHealth(tx, row.id, failure, now);
    await this.#schedule(tx, row, now, Math.max(dueAt, now + failure.retryAfterMs));
  }

  async #schedule(tx: Transaction, row: Repository, now: number, dueAt: number): Promise<void> {
    await repositoryStore.scheduleLookUp(tx, row, now, dueAt);
  }

  async #addPush(tx: Transaction, row: Repository, change: RefChange, hints: Hints, now: number): Promise<void> {
    const name = `refs/${change.kind === 'tag' ? 'tags' : 'heads'}/${change.ref}`;
    const { sender = null, compareUrl = null } = hints.ofPush(name, change.afterId) ?? {};
    await this.#add(tx, row, { ...change, workspaceId: null, details: { sender, compareUrl, pull: null } }, now);
  }

  async #addPull(
    tx: Transaction,
    row: Repository,
    { pull, beforeId, afterId }: PullChange,
    hints: Hints,
    now: number,
  ): Promise<void> {
    const { number, title, body, url, baseRef, isDraft, mergeBaseId } = pull;
    const details: EventDetails = {
      sender: hints.ofPull(number) ?? pull.author,
      compareUrl: url,
      pull: { number, title, body, url, baseRef, isDraft, isFork: isForkOf(pull), mergeBaseId },
    };
    await this.#add(tx, row, { kind: 'pull', ref: pull.headRef, beforeId, afterId, workspaceId: null, details }, now);
  }

  /** Starts the first runs of new workspaces. Returns how many were considered. */
  async #startFirst(
    tx: Transaction,
    row: Repository,
    { refs }: Look,
    firstRuns: readonly store.FirstRun[],
    now: number,
  ): Promise<number> {
    const byDefault = defaultBranchOf(refs);
    const head = refs.find(({ name }) => name === 'HEAD')?.commitId;
    for (const { workspaceId, branch } of firstRuns) {
      await store.clearFirstRun(tx, workspaceId);
      const ref = branch ?? byDefault;
      const named = refs.find(({ name }) => name === `refs/heads/${ref}`)?.commitId;
      const afterId = named ?? (ref === byDefault ? head : undefined);
      if (ref === null || afterId === undefined) continue;
      const details = { sender: null, compareUrl: null, pull: null };
      await this.#add(tx, row, { kind: 'push', ref, beforeId: null, afterId, workspaceId, details }, now);
    }
    return firstRuns.length;
  }

  async #add(
    tx: Transaction,
    { id: repositoryId, organizationId, gitUrl }: Repository,
    event: {
      readonly kind: 'push' | 'tag' | 'pull';
      readonly ref: string;
      readonly beforeId: string | null;
      readonly afterId: string | null;
      readonly workspaceId: string | null;
      readonly details: EventDetails;
    },
    now: number,
  ): Promise<void> {
    const target = new URL(gitUrl).host;
    await this.#options.events.add(
      tx,
      { id: prefixedId('ve', now), organizationId, repositoryId, target, ...event },
      now,
    );
  }
}
