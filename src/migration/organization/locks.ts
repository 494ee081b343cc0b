import type { Connection } from '../connection/connection.ts';
import { oneResource, relatedIds, textIn } from '../connection/pages.ts';
import { Refused } from '../model/errors.ts';

const CONFLICT = 409;

/** Which lock of the same user counts as held already: one of an interrupted import, or any, if it is never released. */
export type AcceptedLock = 'same-reason' | 'any-reason';

/** Locks of workspaces on one server, held by the owner of the token. */
export class WorkspaceLocks {
  readonly #connection: Connection;
  #user: Promise<string | undefined> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Locks a workspace, or accepts a lock that the same user holds.
   * @returns `continued` if the user held the lock before
   * @throws Refused if someone else holds the lock, or the user holds it for something else
   */
  async lock(id: string, reason: string, accepted: AcceptedLock): Promise<'new' | 'continued'> {
    try {
      await this.#connection.send('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason });
      return 'new';
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== CONFLICT) throw error;
      const held = await this.#heldReason(id);
      if (held !== undefined && (accepted === 'any-reason' || held === reason)) return 'continued';
      const holder = held === undefined ? 'someone else has' : 'you have';
      const why = held ? ` (${held})` : '';
      throw new Refused(
        CONFLICT,
        `${holder} locked it at ${this.#connection.host}${why}; unlock it, then run the import again`,
      );
    }
  }

  async unlock(id: string): Promise<void> {
    await this.#connection.send('POST', `/api/v2/workspaces/${id}/actions/unlock`, {});
  }

  /**
   * Releases the lock of an import that ended after its last state and before the unlock.
   * @returns whether the user held a lock with this reason
   */
  async release(id: string, reason: string): Promise<boolean> {
    if ((await this.#heldReason(id)) !== reason) return false;
    await this.unlock(id);
    return true;
  }

  /** Unlocks after a failure. A state that is still expected prevents it; then the next migration goes on under this lock. */
  async tryUnlock(id: string): Promise<void> {
    const path = `/api/v2/workspaces/${id}/actions/unlock`;
    await this.#connection.send('POST', path, {}, { attempts: 1 }).catch(() => {});
  }

  /** Returns the reason of a lock that the same user holds; undefined for a lock of someone else. */
  async #heldReason(id: string): Promise<string | undefined> {
    const workspace = await oneResource(this.#connection, `/api/v2/workspaces/${id}`);
    const [holder] = workspace ? relatedIds(workspace, 'locked-by') : [];
    if (workspace === undefined || holder === undefined || holder !== (await this.#userId())) return undefined;
    return textIn(workspace, 'locked-reason');
  }

  #userId(): Promise<string | undefined> {
    this.#user ??= oneResource(this.#connection, '/api/v2/account/details').then((user) => user?.id);
    return this.#user;
  }
}
