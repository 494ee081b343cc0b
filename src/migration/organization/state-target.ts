import { FetchError } from '../../lib/http/fetch-error.ts';
import type { Connection } from '../connection/connection.ts';
import { oneResource, type Resource, resourceOf, textIn } from '../connection/pages.ts';
import { MigrationError, Refused } from '../model/errors.ts';
import { digestOf, withStateFile } from '../states/state-file.ts';
import { readHead } from '../states/state-head.ts';
import type { SourceState } from '../states/state-source.ts';
import type { ImportJournal } from './import-journal.ts';
import { ImportLocks } from './import-locks.ts';

/** Attempts to download a state over a connection that breaks. */
const DOWNLOADS = 4;

/** Decision about the states of one workspace. */
export type StatePlan =
  | { readonly action: 'same' | 'none' }
  | { readonly action: 'upload'; readonly states: readonly SourceState[] }
  | { readonly action: 'cannot'; readonly why: string };

/** Result of an upload. */
export interface Uploaded {
  /** Number of states that were copied. */
  readonly versions: number;
  /** False if someone else had released the lock before the end. */
  readonly wasLocked: boolean;
}

/** Compares states with those of the target, and uploads them there. */
export class StateTarget {
  readonly #connection: Connection;
  readonly #locks: ImportLocks;

  constructor(connection: Connection, journal: ImportJournal) {
    this.#connection = connection;
    this.#locks = new ImportLocks(connection, journal);
  }

  /**
   * Compares the states of a source with the current state of a workspace.
   * @param id ID of the workspace; undefined if it does not exist yet
   * @param states oldest first
   */
  async plan(id: string | undefined, states: readonly SourceState[]): Promise<StatePlan> {
    const newest = states.at(-1);
    if (newest === undefined) return { action: 'none' };
    const current = id === undefined ? undefined : await this.#current(id);
    if (current === undefined) return { action: 'upload', states };
    const serial = Number(current.attributes.serial);
    const newestSerial = newest.serial ?? (await serialIn(newest));
    if (newestSerial === undefined) return { action: 'cannot', why: 'the file has no serial; it is not a state' };
    if (newestSerial < serial) {
      const why = `this server has a newer state (serial ${serial}) than the source (serial ${newestSerial})`;
      return { action: 'cannot', why };
    }
    if (newestSerial > serial)
      return { action: 'upload', states: states.filter((one) => (one.serial ?? newestSerial) > serial) };
    if (await isSameState(newest, current)) return { action: 'same' };
    const why = `both servers have another state with serial ${serial}; compare them, then push the right one`;
    return { action: 'cannot', why };
  }

  /**
   * Uploads states under the lock of the workspace, and skips those of another lineage than the newest one. If only some
   * could be copied, the workspace stays locked: its current state is an old one.
   * @throws Refused if the target refuses one
   */
  async upload(id: string, states: readonly SourceState[]): Promise<Uploaded> {
    const lock = await this.#locks.lock(id);
    let copied = 0;
    try {
      const lineage = await this.#newestLineage(states);
      for (const state of states) if (await this.#copy(id, state, lineage)) copied++;
    } catch (error) {
      if (copied > 0 || lock === 'continued') throw incomplete(error, await this.#isStillLocked(id));
      await this.#locks.tryUnlock(id);
      throw error;
    }
    // All states are here, even if someone else has released the lock since then.
    return { versions: copied, wasLocked: await this.#locks.unlock(id) };
  }

  /**
   * Unlocks a workspace whose states are complete if an interrupted import has left it locked. A lock for anything else
   * stays.
   * @returns whether it was unlocked
   * @throws Refused if another token holds the lock
   */
  releaseLock(id: string): Promise<boolean> {
    return this.#locks.unlock(id);
  }

  /** Without an answer of the server, the lock counts as held. */
  #isStillLocked(id: string): Promise<boolean> {
    return this.#locks.isHeld(id).catch(() => true);
  }

  /** One state needs no comparison. */
  async #newestLineage(states: readonly SourceState[]): Promise<string | undefined> {
    const newest = states.at(-1);
    if (newest === undefined || states.length === 1) return undefined;
    return newest.lineage ?? (await downloading(async () => readHead(await newest.open()))).lineage;
  }

  /** Returns whether the state has this lineage, and was copied. */
  #copy(id: string, state: SourceState, wanted: string | undefined): Promise<boolean> {
    return downloading(async () =>
      withStateFile(await state.open(), async ({ md5, serial = state.serial, lineage, upload }) => {
        if (serial === undefined) throw new Refused(0, 'the file has no serial; it is not a state');
        if (wanted !== undefined && lineage !== undefined && lineage !== wanted) return false;
        const attributes = { serial, md5, ...(lineage !== undefined && { lineage }) };
        const path = `/api/v2/workspaces/${id}/state-versions`;
        const answer = await this.#connection.send('POST', path, { data: { type: 'state-versions', attributes } });
        const version = resourceOf((answer as { data?: unknown } | undefined)?.data, path);
        const address = textIn(version, 'hosted-state-upload-url');
        if (address !== '') await this.#connection.upload(address, upload);
        return true;
      }),
    );
  }

  #current(id: string): Promise<Resource | undefined> {
    return oneResource(this.#connection, `/api/v2/workspaces/${id}/current-state-version`);
  }
}

/** Repeats work that downloads a state while its connection breaks. */
async function downloading<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (error.kind === 'too-large') throw new Refused(0, `the state is larger than ${error.maxBytes} bytes`);
      if (attempt < DOWNLOADS) continue;
      throw new MigrationError(
        'unavailable',
        `a state could not be copied: ${error.message}. Run the same command again; it continues where it stopped`,
      );
    }
  }
}

const INCOMPLETE =
  'The states are incomplete, so the workspace stays locked. Run the import again; after a success it is unlocked';

const UNLOCKED =
  'The states are incomplete, and someone else has unlocked the workspace meanwhile: its current state is an old one. ' +
  'Stop runs in it, then run the import again';

/** Adds to an error that some states are missing. */
function incomplete(error: unknown, isLocked: boolean): unknown {
  const next = isLocked ? INCOMPLETE : UNLOCKED;
  if (error instanceof Refused) return new Refused(error.status, `${error.message}. ${next}`);
  if (error instanceof MigrationError) return new MigrationError(error.kind, `${error.message}. ${next}`);
  return error;
}

async function serialIn(state: SourceState): Promise<number | undefined> {
  return (await downloading(async () => readHead(await state.open()))).serial;
}

/** Compares content: the MD5 of the source, or else that of a download, because a size proves nothing. */
async function isSameState(state: SourceState, { attributes }: Resource): Promise<boolean> {
  if (state.md5 !== undefined) return state.md5 === attributes.md5;
  if (state.size !== undefined && typeof attributes.size === 'number' && state.size !== attributes.size) return false;
  const { md5, lineage } = await downloading(async () => digestOf(await state.open()));
  return md5 === attributes.md5 && (lineage === undefined || lineage === attributes.lineage);
}
