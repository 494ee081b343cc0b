import type { Connection } from '../connection/connection.ts';
import { oneResource, relatedIds, textIn } from '../connection/pages.ts';
import { Refused } from '../model/errors.ts';

const CONFLICT = 409;
/** Attempts to lock a workspace whose lock is released between an attempt and the look at its holder. */
const ATTEMPTS = 3;

/** Lock of a workspace that was locked before. */
export interface HeldLock {
  readonly reason: string;
  /** Whether the user of the token holds it. A team or an organization has no user. */
  readonly isOfUser: boolean;
}

/** Locks of workspaces on one server. */
export class WorkspaceLocks {
  readonly #connection: Connection;
  #user: Promise<string | undefined> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Locks a workspace, or accepts the lock that it has.
   * @param isAccepted decides about a lock that somebody holds
   * @returns `continued` if the lock was accepted
   * @throws Refused if the lock is not accepted
   */
  async lock(id: string, reason: string, isAccepted: (held: HeldLock) => boolean): Promise<'new' | 'continued'> {
    for (let attempt = 1; ; attempt++) {
      if (await this.#try(id, 'lock', { reason })) return 'new';
      const held = await this.held(id);
      if (held === undefined && attempt < ATTEMPTS) continue;
      if (held !== undefined && isAccepted(held)) return 'continued';
      throw this.#refusal(held);
    }
  }

  /** Releases a lock. @returns false if the holder of the token has none */
  unlock(id: string): Promise<boolean> {
    return this.#try(id, 'unlock', {});
  }

  /** Unlocks after a failure. A state that is still expected prevents it; then the next migration goes on under this lock. */
  async tryUnlock(id: string): Promise<boolean> {
    return this.#try(id, 'unlock', {}, 1).catch(() => false);
  }

  /** Returns the lock of a workspace; undefined without one. */
  async held(id: string): Promise<HeldLock | undefined> {
    const workspace = await oneResource(this.#connection, `/api/v2/workspaces/${id}`);
    if (workspace?.attributes.locked !== true) return undefined;
    const [holder] = relatedIds(workspace, 'locked-by');
    const isOfUser = holder !== undefined && holder === (await this.#userId());
    return { reason: textIn(workspace, 'locked-reason'), isOfUser };
  }

  async #try(id: string, action: 'lock' | 'unlock', body: object, attempts?: number): Promise<boolean> {
    const path = `/api/v2/workspaces/${id}/actions/${action}`;
    try {
      await this.#connection.send('POST', path, body, attempts === undefined ? {} : { attempts });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.status === CONFLICT) return false;
      throw error;
    }
  }

  #refusal(held: HeldLock | undefined): Refused {
    if (held === undefined) return new Refused(CONFLICT, `its lock at ${this.#connection.host} changes; try again`);
    const holder = held.isOfUser ? 'you have' : 'someone else has';
    const why = held.reason ? ` (${held.reason})` : '';
    const text = `${holder} locked it at ${this.#connection.host}${why}; unlock it, then run the import again`;
    return new Refused(CONFLICT, text);
  }

  #userId(): Promise<string | undefined> {
    this.#user ??= oneResource(this.#connection, '/api/v2/account/details').then((user) => user?.id);
    return this.#user;
  }
}
