import type { Connection } from '../connection/connection.ts';
import { Refused } from '../model/errors.ts';
import type { ImportJournal } from './import-journal.ts';
import { type HeldLock, WorkspaceLocks } from './locks.ts';

const reasonOf = (id: string) => `lockkeeper import ${id} copies the state`;
const CONFLICT = 409;
const OTHER_TOKEN =
  'Another token holds the lock of the interrupted import. Repeat the import with that token, or unlock the workspace';
const REASON = /^lockkeeper import ([\da-f]{16}) copies the state$/;

/**
 * Locks of workspaces whose states an import copies. The reason names the import, so that it is recognized whatever kind of
 * token has locked, and only by this import. The server compares only the principal, so every step looks at the reason first.
 */
export class ImportLocks {
  readonly #locks: WorkspaceLocks;
  readonly #journal: ImportJournal;

  constructor(connection: Connection, journal: ImportJournal) {
    this.#locks = new WorkspaceLocks(connection);
    this.#journal = journal;
  }

  /**
   * Locks a workspace, or continues under the lock of an interrupted import.
   * @throws Refused for any other lock
   */
  async lock(id: string): Promise<'new' | 'continued'> {
    this.#journal.locking(id);
    try {
      return await this.#locks.lock(id, reasonOf(this.#journal.id), (held) => this.#isOwn(held));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#journal.unlocked(id);
      throw anotherImport(error);
    }
  }

  /**
   * @returns false if someone else has released the lock meanwhile
   * @throws Refused if an interrupted import has locked with another token; the journal still has the lock
   */
  async unlock(id: string): Promise<boolean> {
    if (!(await this.isHeld(id))) return false;
    if (await this.#locks.unlock(id)) {
      this.#journal.unlocked(id);
      return true;
    }
    if (await this.isHeld(id)) throw new Refused(CONFLICT, OTHER_TOKEN);
    return false;
  }

  /** Unlocks after a failure, if that is possible. */
  async tryUnlock(id: string): Promise<void> {
    const isHeld = await this.isHeld(id).catch(() => false);
    if (isHeld && (await this.#locks.tryUnlock(id))) this.#journal.unlocked(id);
  }

  /** Returns whether this import, or an interrupted one that it continues, holds the lock. */
  async isHeld(id: string): Promise<boolean> {
    const held = await this.#locks.held(id);
    if (held !== undefined && this.#isOwn(held)) return true;
    this.#journal.unlocked(id);
    return false;
  }

  #isOwn({ reason }: HeldLock): boolean {
    const id = REASON.exec(reason)?.[1];
    return id !== undefined && this.#journal.isOwn(id);
  }
}

/** Explains the lock of another import. */
function anotherImport(refused: Refused): Refused {
  if (!refused.message.includes('lockkeeper import ')) return refused;
  const what = 'Another import copies its states, or was interrupted on another machine';
  return new Refused(refused.status, `${refused.message}. ${what}: unlock it only if that import has ended`);
}
