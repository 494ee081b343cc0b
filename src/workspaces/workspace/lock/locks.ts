import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Database, Transaction } from '../../../storage/index.ts';
import { conflict } from '../../jsonapi/errors.ts';
import type { Page, Slice } from '../../jsonapi/pagination.ts';
import { type Actor, principalIn } from '../../tenancy/index.ts';
import type { WorkspaceHooks } from '../hooks/hooks.ts';
import type { WorkspaceFinder } from '../model/finder.ts';
import type { Lock, WorkspaceView } from '../model/workspace.ts';
import * as store from './store.ts';

/** Official clients match on these words to find out who holds a lock. */
const KINDS: Readonly<Record<string, string>> = { users: 'User', teams: 'Team', runs: 'Run' };

const ALREADY_LOCKED = 'The workspace is already locked';
const NOT_LOCKED = 'The workspace is already unlocked';
const STILL_PENDING = 'The latest state version is still pending: the workspace stays locked until it is uploaded';

/**
 * Outcomes of an attempt to lock or unlock. conflict: another holder has the lock; not_held: the actor does not hold
 * the lock; run_waits: a run must wait for the lock.
 */
export const LOCK_OUTCOMES = ['locked', 'conflict', 'unlocked', 'not_held', 'forced', 'run_waits'] as const;
type LockOutcome = (typeof LOCK_OUTCOMES)[number];

/** Returns the party that locks or unlocks: a user, or a team with the machine that acts for it. */
export function partyOf(actor: Actor, organizationId: string): store.Party {
  const principal = principalIn(actor, organizationId);
  if (actor.kind === 'user') return { ...principal, name: actor.username };
  return { ...principal, name: actor.kind === 'machine' ? actor.machine.commonName : '' };
}

/**
 * Workspace lock (spec §3, §4.7), the only mutual exclusion that clients have. Each step is one conditional UPDATE, so
 * exactly one of several concurrent attempts succeeds. The lock history contains every step.
 */
export class WorkspaceLocks {
  /** Listeners that are called after each attempt to lock or unlock. */
  readonly tried: ((outcome: LockOutcome) => void)[] = [];
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #finder: WorkspaceFinder;
  readonly #hooks: WorkspaceHooks;
  /** The statement is created on first use, after all hooks are registered. */
  #unlockQuietly: ReturnType<typeof store.unlockWithoutEvent> | undefined;

  constructor(database: Database, clock: Clock, finder: WorkspaceFinder, hooks: WorkspaceHooks) {
    this.#database = database;
    this.#clock = clock;
    this.#finder = finder;
    this.#hooks = hooks;
  }

  /** Locks the workspace. @throws 409 when it is already locked, even by the actor */
  async lock(actor: Actor, id: string, reason: string): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-lock');
    const holder = partyOf(actor, workspace.organizationId);
    const event = this.#event();
    const version = await store.lockWorkspace(this.#database, id, holder, reason, event);
    const { type, id: holderId, name } = holder;
    const lock = { holder: { type, id: holderId }, name, reason, at: event.now };
    this.#emit(version === undefined ? 'conflict' : 'locked');
    const now = await this.#after(actor, workspace, version, lock);
    if (version === undefined) throw conflict(ALREADY_LOCKED);
    return now;
  }

  /**
   * Unlocks the workspace and makes the newest finalized intermediate state version the current one.
   * @throws 409 when it is unlocked, or another holder has the lock; 503 while a state version is pending
   */
  async unlock(actor: Actor, id: string): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-unlock');
    const holder = partyOf(actor, workspace.organizationId);
    this.#unlockQuietly ??= store.unlockWithoutEvent(this.#hooks.quietlyUnlocked);
    const version = await this.#unlockQuietly(this.#database, id, holder, this.#clock());
    if (version !== undefined) {
      this.#emit('unlocked');
      return this.#after(actor, workspace, version, null);
    }
    const unlocked = await this.#database.transaction(async (tx) => {
      if (!(await store.unlockWorkspace(tx, id, holder, this.#clock()))) return false;
      if ((await this.#hooks.states?.beforeUnlock(tx, id)) === 'pending') {
        throw new AppError('unavailable', STILL_PENDING);
      }
      await this.#hooks.states?.promote(tx, id);
      for (const listener of this.#hooks.unlocked) await listener(tx, id);
      return true;
    });
    this.#emit(unlocked ? 'unlocked' : 'not_held');
    const now = await this.#now(actor, id);
    if (!unlocked) throw notYours(now);
    return now;
  }

  /** Unlocks regardless of the holder and of pending state versions. @throws 409 when it is unlocked */
  async forceUnlock(actor: Actor, id: string): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-force-unlock');
    const by = partyOf(actor, workspace.organizationId);
    const unlocked = await this.#database.transaction(async (tx) => {
      if (!(await store.forceUnlockWorkspace(tx, id, by, this.#clock()))) return false;
      await this.#hooks.states?.promote(tx, id);
      for (const listener of this.#hooks.unlocked) await listener(tx, id);
      return true;
    });
    this.#emit(unlocked ? 'forced' : 'not_held');
    const now = await this.#now(actor, id);
    if (!unlocked) throw conflict(NOT_LOCKED);
    return now;
  }

  /** Locks for a run, in the transaction that starts it. Returns false if the workspace is locked. */
  async lockForRun(tx: Transaction, id: string, runId: string, reason = ''): Promise<boolean> {
    const locked = await store.lockWorkspaceIn(tx, id, { type: 'runs', id: runId, name: '' }, reason, this.#event());
    tx.afterCommit(() => this.#emit(locked ? 'locked' : 'run_waits'));
    return locked;
  }

  /**
   * Unlocks in the transaction that finishes the run, and makes the newest intermediate state version the current one,
   * unless another party has locked the workspace. Returns false if the run does not hold the lock.
   */
  async unlockRun(tx: Transaction, id: string, runId: string): Promise<boolean> {
    const unlocked = await store.unlockWorkspace(tx, id, { type: 'runs', id: runId, name: '' }, this.#clock());
    if (unlocked || (await store.isUnlocked(tx, id))) await this.#hooks.states?.promote(tx, id);
    return unlocked;
  }

  /** Returns the lock history, newest first. */
  async events(actor: Actor, id: string, page: Page): Promise<Slice<store.LockEvent>> {
    await this.#finder.find(actor, { id }, 'can-read-settings');
    return store.listLockEvents(this.#database, id, page);
  }

  #emit(outcome: LockOutcome): void {
    for (const tell of this.tried) tell(outcome);
  }

  /** Ids sort by time. */
  #event(): store.Moment {
    const now = this.#clock();
    return { id: prefixedId('lke', now), now };
  }

  /**
   * Returns the view after the lock changed: the earlier view with the new lock, if the version shows that nothing
   * else has changed.
   */
  async #after(
    actor: Actor,
    before: WorkspaceView,
    version: number | undefined,
    lock: Lock | null,
  ): Promise<WorkspaceView> {
    const isKnown = version === before.version + 1 && before.permissions['can-read-settings'];
    return isKnown ? { ...before, version, lock } : this.#now(actor, before.id);
  }

  #now(actor: Actor, id: string): Promise<WorkspaceView> {
    return this.#finder.find(actor, { id }, 'can-read-settings');
  }
}

function notYours({ lock }: WorkspaceView): AppError {
  if (lock === null) return conflict(NOT_LOCKED);
  const { type, id } = lock.holder;
  return conflict(`Unable to unlock workspace. The workspace is locked by ${KINDS[type]} ${id}`);
}
