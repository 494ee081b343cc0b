import type { AppError } from '../../lib/errors.ts';
import type { Database } from '../../storage/index.ts';
import { conflict } from '../jsonapi/errors.ts';
import { type Actor, principalIn } from '../permissions/actor.ts';
import type { WorkspaceFinder } from './finder.ts';
import * as store from './store.ts';
import type { WorkspaceView } from './workspace.ts';

/** Official clients look for these words to say who holds a lock. */
const KINDS: Readonly<Record<string, string>> = { users: 'User', teams: 'Team', runs: 'Run' };

const ALREADY_LOCKED = 'The workspace is already locked';
const NOT_LOCKED = 'The workspace is already unlocked';

/**
 * The lock of a workspace (spec §3, §4.7), the only mutual exclusion that clients have: each step is one conditional
 * UPDATE, so of many that try at once one succeeds.
 */
export class WorkspaceLocks {
  readonly #database: Database;
  readonly #finder: WorkspaceFinder;

  constructor(database: Database, finder: WorkspaceFinder) {
    this.#database = database;
    this.#finder = finder;
  }

  /** @throws 409 when it is locked, whoever holds it */
  async lock(actor: Actor, id: string, reason: string): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-lock');
    const holder = principalIn(actor, workspace.organizationId);
    const locked = await store.lock(this.#database, id, holder, reason);
    const now = await this.#now(actor, id);
    if (!locked) throw conflict(ALREADY_LOCKED);
    return now;
  }

  /** @throws 409 when it is unlocked, or somebody else holds it */
  async unlock(actor: Actor, id: string): Promise<WorkspaceView> {
    const workspace = await this.#finder.find(actor, { id }, 'can-unlock');
    const holder = principalIn(actor, workspace.organizationId);
    const unlocked = await store.unlock(this.#database, id, holder);
    const now = await this.#now(actor, id);
    if (!unlocked) throw notYours(now);
    return now;
  }

  /** Whoever holds it. @throws 409 when it is unlocked */
  async forceUnlock(actor: Actor, id: string): Promise<WorkspaceView> {
    await this.#finder.find(actor, { id }, 'can-force-unlock');
    const unlocked = await store.forceUnlock(this.#database, id);
    const now = await this.#now(actor, id);
    if (!unlocked) throw conflict(NOT_LOCKED);
    return now;
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
