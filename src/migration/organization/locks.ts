import type { Connection } from '../connection/connection.ts';
import { oneResource, relatedIds } from '../connection/pages.ts';
import { Refused } from '../model/errors.ts';

const CONFLICT = 409;

/** Locks of workspaces on one server, held by the owner of the token. */
export class WorkspaceLocks {
  readonly #connection: Connection;
  #user: Promise<string | undefined> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Locks a workspace. A lock that the same user holds, for example from an interrupted migration, counts as ours.
   * @returns `continued` if the user held the lock before
   * @throws Refused if someone else holds the lock
   */
  async lock(id: string, reason: string): Promise<'new' | 'continued'> {
    try {
      await this.#connection.send('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason });
      return 'new';
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== CONFLICT) throw error;
      if (await this.#isOurs(id)) return 'continued';
      throw new Refused(
        CONFLICT,
        `someone else has locked it at ${this.#connection.host}; unlock it, then run the import again`,
      );
    }
  }

  async unlock(id: string): Promise<void> {
    await this.#connection.send('POST', `/api/v2/workspaces/${id}/actions/unlock`, {});
  }

  /** Unlocks after a failure. A state that is still expected prevents it; then the next migration goes on under this lock. */
  async tryUnlock(id: string): Promise<void> {
    const path = `/api/v2/workspaces/${id}/actions/unlock`;
    await this.#connection.send('POST', path, {}, { attempts: 1 }).catch(() => {});
  }

  async #isOurs(id: string): Promise<boolean> {
    const workspace = await oneResource(this.#connection, `/api/v2/workspaces/${id}`);
    const [holder] = workspace ? relatedIds(workspace, 'locked-by') : [];
    return holder !== undefined && holder === (await this.#userId());
  }

  #userId(): Promise<string | undefined> {
    this.#user ??= oneResource(this.#connection, '/api/v2/account/details').then((user) => user?.id);
    return this.#user;
  }
}
