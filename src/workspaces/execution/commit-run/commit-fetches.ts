import type { Clock } from '../../../lib/clock.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import type { Attempt, DeliveryTask, Ended, Entry, Queue } from '../../delivery/index.ts';
import { attributeIssue, conflict, unprocessable } from '../../jsonapi/errors.ts';
import { type Actor, nameOfActor } from '../../tenancy/index.ts';
import type { CommitArchives, FetchedCommit } from '../../vcs/index.ts';
import { completeCommit, failCommit, noteNoRun } from '../configuration-version/commits.ts';
import type { ConfigurationVersion } from '../configuration-version/configuration-version.ts';
import type {
  ConfigurationVersionInput,
  ConfigurationVersions,
} from '../configuration-version/configuration-versions.ts';
import type { RunStart } from '../run/start.ts';
import { requestOf, type StartedCommits } from './commit-runs.ts';
import * as store from './store.ts';

/** Word for the newest commit of the branch that the workspace follows. */
const NEWEST = 'HEAD';
const MINUTE = 60_000;
/** @limit time in which a commit that a user asks for is fetched, ms -> its configuration version is errored */
const LONGEST_FETCH = 10 * MINUTE;
/** @limit commits of one workspace that are being fetched for users, commits -> 409 */
const MOST_WAITING = 20;
/** @limit commits that one node fetches for users at once, commits -> the others wait */
const MOST_FETCHES = 4;
/** @limit commits that one node fetches for users of one organization at once, commits -> the others wait */
const MOST_OF_ORGANIZATION = 2;
const POINTER = 'vcs-ref';

/** Dependencies of `CommitFetches`. */
export interface CommitFetchesOptions {
  readonly clock: Clock;
  readonly database: Database;
  /** Services of the module below, which fills in the archives after this service is created. */
  readonly vcs: { readonly commitArchives: CommitArchives };
  readonly versions: ConfigurationVersions;
  readonly start: RunStart;
  readonly runs: StartedCommits;
}

interface FetchAttempt extends Attempt {
  /** Undefined to try again. */
  readonly result: FetchedCommit | { readonly refusal: string } | undefined;
}

/** Commits that users ask for by hand: a queue whose entries are configuration versions with the status `fetching`. */
export class CommitFetches implements Queue<Entry<store.CommitFetch>, FetchAttempt> {
  readonly name = 'commit_fetches';
  readonly task: DeliveryTask = {
    name: 'commit-fetches',
    description: 'Fetches commits that users ask for, and starts their runs.',
  };
  readonly outbox = store.fetches;
  readonly places = { all: MOST_FETCHES, ofOrganization: MOST_OF_ORGANIZATION, toReceiver: 1 };
  readonly #options: CommitFetchesOptions;

  constructor(options: CommitFetchesOptions) {
    this.#options = options;
  }

  /**
   * Creates a configuration version that the server fetches from the repository of the workspace.
   * @param ref branch, tag, commit, or `HEAD` for the newest commit of the branch that the workspace follows
   * @throws 404 without permission, 409 when too many commits are being fetched, 422 if the workspace follows no
   * repository or the repository cannot be reached
   */
  async request(
    actor: Actor,
    workspaceId: string,
    input: ConfigurationVersionInput,
    ref: string,
  ): Promise<ConfigurationVersion> {
    const { database, vcs, versions } = this.#options;
    const { version, organizationId } = await versions.prepare(actor, workspaceId, input);
    const reason = ref === '' ? BLANK : await vcs.commitArchives.whyNot(workspaceId);
    if (reason !== undefined) throw unprocessable([attributeIssue(POINTER, reason)]);
    const { id, createdAt } = version;
    const createdByName = nameOfActor(actor);
    const fetch = { id, workspaceId, ref: ref === NEWEST ? null : ref, createdByName, createdAt };
    return database.transaction(async (tx) => {
      if ((await store.countFetches(tx, workspaceId)) >= MOST_WAITING) throw conflict(TOO_MANY);
      const fetching = await versions.insertFetching(tx, version);
      await store.insertFetch(tx, fetch, organizationId);
      return fetching;
    });
  }

  latest({ row }: Entry<store.CommitFetch>): number {
    return row.createdAt + LONGEST_FETCH;
  }

  async attempt(entry: Entry<store.CommitFetch>): Promise<FetchAttempt> {
    const { clock, vcs } = this.#options;
    const { workspaceId, ref } = entry.row;
    if (clock() >= this.latest(entry)) return { outcome: 'refused', result: { refusal: LATE } };
    try {
      const result = await vcs.commitArchives.ensure(workspaceId, ref);
      return { outcome: 'refusal' in result ? 'refused' : 'arrived', result };
    } catch {
      // The provider is away or slow. The health of its connection says why.
      return { outcome: 'failed', result: undefined };
    }
  }

  async settle(
    tx: Transaction,
    { row }: Entry<store.CommitFetch>,
    { result }: FetchAttempt,
    { now }: Ended,
  ): Promise<void> {
    if (result === undefined) return;
    if ('refusal' in result) return failCommit(tx, row.id, result.refusal, now);
    const version = await completeCommit(tx, row.id, result, now);
    if (version === undefined) return failCommit(tx, row.id, REMOVED, now);
    if (version.autoQueueRuns) await this.#start(tx, version, result, row.createdByName, now);
  }

  /** Starts the run. If the workspace cannot run it now, the version stays without one, and says why. */
  async #start(
    tx: Transaction,
    version: ConfigurationVersion,
    { ingress }: FetchedCommit,
    createdByName: string,
    now: number,
  ): Promise<void> {
    const { runs, start } = this.#options;
    const workspace = await start.workspace(tx, version.workspaceId);
    if (workspace === undefined) return;
    const refusal = await runs.refusal(tx, workspace, version.speculative);
    if (refusal !== undefined) return void (await noteNoRun(tx, version, refusal));
    const { createdBy } = version;
    const request = { ...requestOf(version, ingress), triggerReason: 'manual', createdBy, createdByName };
    await start.startFor(tx, workspace, request, now);
  }
}

const BLANK = `Vcs ref can't be blank: name a branch, a tag or a commit, or ${NEWEST}`;
const LATE =
  'The commit could not be fetched within 10 minutes, because the provider did not answer. Check the connection of the workspace and ask for the commit again';
const REMOVED = 'The stored files of the commit were deleted meanwhile. Ask for the commit again';
const TOO_MANY = `The workspace already fetches ${MOST_WAITING} commits. Wait until some are there`;
