import type { Commit, GitRemote } from '../../../git/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { lruCache } from '../../../lib/lru-cache.ts';
import type { Database, Queries, Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, Queue } from '../../delivery/index.ts';
import type { Organizations } from '../../tenancy/index.ts';
import type { CommitArchiveStore } from '../archive/archives.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { type Failure, failureOf } from '../repository/failures.ts';
import type { ConnectionOpener, OpenedConnection } from '../repository/opened.ts';
import type { Repository } from '../repository/repository.ts';
import { findRepository } from '../repository/store.ts';
import { decide, needsFiles, type Occasion } from '../verdict/decide.ts';
import { type Follower, type FollowersOptions, followersOf } from './candidates.ts';
import { EventFiles } from './changes.ts';
import type { EventDetails } from './event.ts';
import { firstLine, ingressOf } from './ingress.ts';
import { mergeResult, type Planned } from './merge-result.ts';
import { type Decision, Starts, type StoredCommit } from './starts.ts';
import * as store from './store.ts';

/** @limit concurrent events of repositories of a node, events -> the others wait */
const MOST_AT_ONCE = 8;
/** @limit concurrent events of repositories of one organization, events -> the others wait */
const MOST_OF_ORGANIZATION = 4;
/** @limit concurrent events of repositories at one host, events -> the others wait */
const MOST_AT_HOST = 4;
/** @limit time for which the server tries to work on an event, ms -> the event fails, and its message says why */
const LONGEST_TRY = 24 * 3_600_000;
/** @limit time for which the server tries to compare the files of an event, ms -> all its workspaces run */
const LONGEST_COMPARE = 10 * 60_000;
/** @limit attempts to work on an event after a failure that another attempt hardly changes, attempts -> the event fails */
const MOST_TRIES_FOR_GOOD = 5;
/** Interval at which a claim is extended, and its duration, milliseconds. */
const RENEW_EVERY = 20_000;
const RENEW_FOR = 60_000;
/** Pause until an event is considered again that waits for an earlier one, milliseconds. */
const TURN_PAUSE = 1000;
/** @limit commits of repositories in memory, commits -> the least recently used one is read again on demand */
const MOST_COMMITS = 100;

type EventEntry = Entry<store.EventRow>;

/** Result of an attempt. */
interface Processed extends Attempt {
  /** waits: an earlier event of the branch is not done. */
  readonly is: 'done' | 'waits' | 'failed';
  readonly failure?: Failure;
}

/** Dependencies of the queue. */
export interface ProcessingOptions extends FollowersOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly opener: ConnectionOpener;
  readonly archives: CommitArchiveStore;
  readonly organizations: Pick<Organizations, 'settingsOf'>;
  /** Called after an event is done, in its transaction. */
  readonly onDone?: (tx: Transaction, event: store.EventRow) => Promise<void>;
}

/**
 * Queue that works on events: it compares files, decides for each workspace, stores the files of the commit once, and
 * starts the runs. An attempt may be repeated at any point, because verdicts and runs are unique.
 */
export class EventProcessing implements Queue<EventEntry, Processed> {
  readonly name = 'vcs_events';
  readonly task: DeliveryTask = {
    name: 'vcs-events',
    description: 'Decides which workspaces a commit concerns, and starts their runs.',
  };
  readonly outbox = store.openEvents;
  readonly places = { all: MOST_AT_ONCE, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: MOST_AT_HOST };
  readonly #options: ProcessingOptions;
  readonly #starts: Starts;
  readonly #commits = lruCache<string, Commit>(MOST_COMMITS);

  constructor(options: ProcessingOptions) {
    this.#options = options;
    this.#starts = new Starts(options);
  }

  latest({ row }: EventEntry): number {
    return row.createdAt + LONGEST_TRY;
  }

  async attempt(entry: EventEntry): Promise<Processed> {
    const { clock, database } = this.#options;
    const { row, claim, id } = entry;
    const renew = () => void store.renewClaim(database, id, claim, clock() + RENEW_FOR).catch(() => {});
    const timer = setInterval(renew, RENEW_EVERY).unref();
    try {
      if (row.kind !== 'pull' && row.workspaceId === null && (await store.hasEarlier(database, row))) {
        return { is: 'waits', outcome: 'failed' };
      }
      await this.#process(row);
      return { is: 'done', outcome: 'arrived' };
    } catch (error) {
      return this.#failed(entry, error);
    } finally {
      clearInterval(timer);
    }
  }

  #failed({ row, failures }: EventEntry, error: unknown): Processed {
    const failure = error instanceof AppError ? tooLarge(error) : failureOf(error);
    const isOver =
      this.#options.clock() - row.createdAt >= LONGEST_TRY ||
      (!failure.isTemporary && failures + 1 >= MOST_TRIES_FOR_GOOD);
    return { is: 'failed', outcome: isOver ? 'refused' : 'failed', failure };
  }

  async settle(tx: Transaction, entry: EventEntry, { is, failure }: Processed, ended: Ended): Promise<void> {
    const { id, row, failures } = entry;
    if (is === 'waits') return void (await store.postponeEvent(tx, id, failures, ended.now + TURN_PAUSE));
    if (is === 'done') {
      await store.setEventState(tx, id, 'done', row.problem);
      await this.#options.onDone?.(tx, row);
      return;
    }
    const state = ended.verdict === 'given_up' ? 'failed' : 'waiting';
    await store.setEventState(tx, id, state, failure?.reason ?? null);
    if (state === 'failed') return;
    const dueAt = Math.max(ended.dueAt, ended.now + (failure?.retryAfterMs ?? 0));
    await store.postponeEvent(tx, id, ended.failures, dueAt);
  }

  async #process(event: store.EventRow): Promise<void> {
    const { database } = this.#options;
    const repository = await findRepository(database, event.repositoryId);
    if (repository === undefined) return;
    const occasion = await this.#occasionOf(database, event, repository);
    const followers = await followersOf(this.#options, event);
    const isQuiet = followers.every(
      ({ candidate }) => decide(occasion, candidate).outcome === 'skipped' && !needsFiles(occasion, candidate),
    );
    const connection = isQuiet ? undefined : await this.#open(repository);
    const decisions = await this.#decide(event, occasion, followers, repository, connection);
    const commits = await this.#fetch(event, repository, decisions, connection);
    const outdated = await this.#outdated(event);
    for (const decision of decisions) {
      const commit = commits.get(String(submodulesOf(decision)));
      await this.#starts.store(event, occasion, decision, commit, outdated.get(decision.workspaceId) ?? []);
    }
    await this.#cancelOthers(decisions, outdated);
  }

  async #open({ connectionId }: Repository): Promise<OpenedConnection> {
    const opened = await this.#options.opener.open(this.#options.database, connectionId);
    if (typeof opened !== 'string') return opened;
    throw new ProviderError('refused', 'The connection was deleted, or has not been checked');
  }

  async #occasionOf(db: Queries, event: store.EventRow, { defaultBranch }: Repository): Promise<Occasion> {
    const { organizationId, kind, ref, afterId: commitId } = event;
    const { pull } = JSON.parse(event.details) as EventDetails;
    const settings = await this.#options.organizations.settingsOf(db, organizationId);
    const forkPlans = settings?.['fork-plans'] ?? 'never';
    return { kind, ref, commitId, defaultBranch, pull, isOvertaken: await isOvertaken(db, event, pull), forkPlans };
  }

  async #decide(
    event: store.EventRow,
    occasion: Occasion,
    followers: readonly Follower[],
    repository: Repository,
    opened: OpenedConnection | undefined,
  ): Promise<Decision[]> {
    const remote = opened?.remote(repository);
    const files = remote && new EventFiles(remote, this.#options.clock() - event.createdAt >= LONGEST_COMPARE);
    const first =
      remote && followers.some(({ candidate }) => needsFiles(occasion, candidate))
        ? await this.#firstOf(event, remote)
        : null;
    const decisions: Decision[] = [];
    for (const { workspace, candidate } of followers) {
      const { id: workspaceId } = workspace;
      const { afterId } = event;
      const beforeId = first ?? (await this.#lastOf(event, workspaceId));
      const answer =
        files !== undefined && afterId !== null && needsFiles(occasion, candidate)
          ? await files.answer({ beforeId, afterId }, candidate.settings)
          : undefined;
      decisions.push({ workspaceId, candidate, verdict: decide(occasion, candidate, answer), files: answer });
    }
    return decisions;
  }

  /** Returns the commit with which the commit of an event is compared; null for a new branch. */
  async #firstOf({ kind, beforeId, afterId, repositoryId, details }: store.EventRow, remote: GitRemote) {
    if (kind !== 'pull' || afterId === null) return beforeId;
    const { pull } = JSON.parse(details) as EventDetails;
    if (pull === null) return null;
    if (pull.mergeBaseId !== null) return pull.mergeBaseId;
    const base = await this.#baseOf(repositoryId, pull.baseRef, remote);
    return base === null ? null : ((await remote.mergeBase(base, afterId)) ?? base);
  }

  async #baseOf(repositoryId: string, baseRef: string, remote: GitRemote): Promise<string | null> {
    const name = `refs/heads/${baseRef}`;
    const known = await store.commitOfRef(this.#options.database, repositoryId, name);
    if (known) return known;
    return (await remote.refs([name])).find((ref) => ref.name === name)?.commitId ?? null;
  }

  /** A new branch is compared with the last commit that ran in the workspace. A first run is compared with nothing. */
  async #lastOf({ kind, workspaceId: only }: store.EventRow, workspaceId: string): Promise<string | null> {
    if (kind !== 'push' || only !== null) return null;
    return (await store.lastCommitOf(this.#options.database, workspaceId)) ?? null;
  }

  /** Stores the files of the commit, with and without submodules as the workspaces need them. */
  async #fetch(
    event: store.EventRow,
    repository: Repository,
    decisions: readonly Decision[],
    opened: OpenedConnection | undefined,
  ): Promise<Map<string, StoredCommit>> {
    const commits = new Map<string, StoredCommit>();
    const running = decisions.filter(({ verdict }) => verdict.outcome !== 'skipped');
    if (running.length === 0 || opened === undefined || event.afterId === null) return commits;
    const remote = opened.remote(repository);
    const commit = await this.#commit(remote, repository.id, event.afterId);
    const { source } = opened.kind;
    const details = JSON.parse(event.details) as EventDetails;
    const ingress = ingressOf(repository, source, commit, { kind: event.kind, ref: event.ref, details });
    const { commitId, remark } = await this.#planned(event, event.afterId, opened, remote);
    const message = firstLine(commit.message) + remark;
    for (const submodules of new Set(running.map(submodulesOf))) {
      const archiveId = await this.#options.archives.ensure(repository, remote, commitId, submodules);
      commits.set(String(submodules), { archiveId, source, message, ingress });
    }
    return commits;
  }

  /** Returns the commit whose files run: of a pull request its head or, if the organization says so, its merge. */
  async #planned(
    { organizationId, details, createdAt }: store.EventRow,
    headId: string,
    { kind }: OpenedConnection,
    remote: GitRemote,
  ): Promise<Planned> {
    const { clock, database, organizations } = this.#options;
    const { pull } = JSON.parse(details) as EventDetails;
    const settings = pull && (await organizations.settingsOf(database, organizationId));
    if (pull === null || !settings?.['plan-merge-result']) return { commitId: headId, remark: '' };
    const ref = kind.provider.pulls?.mergeRef?.(pull.number);
    return mergeResult(remote, ref, { baseRef: pull.baseRef, headId }, clock() - createdAt);
  }

  /** A commit never changes, and the first runs of many workspaces have the same one. */
  async #commit(remote: GitRemote, repositoryId: string, id: string): Promise<Commit> {
    const key = `${repositoryId}/${id}`;
    const commit = this.#commits.get(key) ?? (await remote.commit(id));
    this.#commits.set(key, commit);
    return commit;
  }

  /** Returns the runs of older commits of the pull request by workspace, if they are to be canceled. */
  async #outdated(event: store.EventRow): Promise<ReadonlyMap<string, readonly string[]>> {
    const { database, organizations } = this.#options;
    const { pull } = JSON.parse(event.details) as EventDetails;
    if (pull === null) return new Map();
    const head = await store.pullHead(database, event.repositoryId, pull.number);
    const settings = await organizations.settingsOf(database, event.organizationId);
    const isManaged = settings?.['speculative-plan-management-enabled'] ?? true;
    if (event.afterId !== null && !isManaged) return new Map();
    const runs = await store.pullRunsOf(database, event.repositoryId, pull.number);
    const isOpen = head?.state === 'open';
    const old = runs.filter(({ commitId, runId }) => runId !== '' && (!isOpen || commitId !== head.headId));
    const byWorkspace = Map.groupBy(old, ({ workspaceId }) => workspaceId);
    return new Map([...byWorkspace].map(([id, of]) => [id, of.map(({ runId }) => runId)]));
  }

  /** Cancels the runs of workspaces that the event does not concern, such as those of a former target branch. */
  async #cancelOthers(decisions: readonly Decision[], outdated: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const { clock, database, runs } = this.#options;
    const done = new Set(decisions.map(({ workspaceId }) => workspaceId));
    const others = [...outdated].flatMap(([workspaceId, ids]) => (done.has(workspaceId) ? [] : ids));
    if (others.length > 0) await database.transaction((tx) => runs().cancelOutdated(tx, others, clock()));
  }
}

/** A fork could name a private repository as its submodule, which the server would fetch for it. */
const submodulesOf = ({ candidate, verdict }: Decision): boolean =>
  !verdict.untrusted &&
  ((candidate.settings['vcs-repo'] as { readonly 'ingress-submodules'?: boolean } | null)?.['ingress-submodules'] ??
    false);

/** A pull request is overtaken by a newer head, and a branch by a later event that is done. */
async function isOvertaken(db: Queries, event: store.EventRow, pull: EventDetails['pull']): Promise<boolean> {
  if (event.afterId === null || event.workspaceId !== null) return false;
  if (pull === null) return event.kind === 'push' && (await store.hasLater(db, event));
  const head = await store.pullHead(db, event.repositoryId, pull.number);
  return head !== undefined && head.state === 'open' && head.headId !== event.afterId;
}

function tooLarge({ message }: AppError): Failure {
  const reason = `The files of the commit cannot be stored: ${message}`;
  return { health: 'ok', reason, isTemporary: false, isGone: false, retryAfterMs: 0 };
}
