import { AppError } from '../../lib/errors.ts';
import { type Queries, sql } from '../../storage/index.ts';

/** What a method keeps of itself at its mount. */
export interface MountState {
  readonly version: number;
  readonly config: string;
}

const stateById = sql<{ id: string }, MountState>('SELECT version, config FROM mount WHERE id = :id');
const nextVersion = sql<{ id: string }, MountState>(
  'UPDATE mount SET version = version + 1 WHERE id = :id AND removed_at IS NULL RETURNING version, config',
);
const setConfig = sql<{ id: string; config: string }>('UPDATE mount SET config = :config WHERE id = :id');

/** @throws AppError not-found, when the mount was disabled and its data is gone */
export async function mountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(stateById, { id }));
}

/**
 * Says that something in the mount changes. The first thing in a unit of work that reads before it writes: the mount's row is
 * locked from here on, so that no two writers can both read what was there before.
 * @throws AppError not-found, when the mount was disabled while the request was on its way
 */
export async function nextMountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(nextVersion, { id }));
}

export async function setMountConfig(queries: Queries, id: string, config: string): Promise<void> {
  await queries.run(setConfig, { id, config });
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not-found', 'the mount was disabled');
  return row;
}
