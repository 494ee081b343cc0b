import { AppError } from '../../lib/errors.ts';
import { type Queries, type Step, sql, step } from '../../storage/index.ts';

/** State of a method at its mount. */
export interface MountState {
  readonly version: number;
  readonly config: string;
}

const stateById = sql<{ id: string }, MountState>('SELECT version, config FROM mount WHERE id = :id');
const nextVersion = sql<{ id: string }, MountState>(
  'UPDATE mount SET version = version + 1 WHERE id = :id AND removed_at IS NULL RETURNING version, config',
);
const setConfig = sql<{ id: string; config: string }>('UPDATE mount SET config = :config WHERE id = :id');

const intermediatesById = sql<{ id: string }, { intermediates: number }>(
  'SELECT intermediates FROM mount WHERE id = :id',
);
const changeIntermediates = sql<{ id: string }, { intermediates: number }>(
  'UPDATE mount SET intermediates = intermediates + 1 WHERE id = :id AND removed_at IS NULL RETURNING intermediates',
);

/** @throws AppError not-found if the mount was disabled and its data is gone */
export async function mountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(stateById, { id }));
}

/**
 * Increments the version of a mount. Must be the first statement of a transaction that reads before it writes: it
 * locks the mount's row, so that no two writers read the same state.
 * @throws AppError not-found if the mount was disabled meanwhile
 */
export async function nextMountState(queries: Queries, id: string): Promise<MountState> {
  return found(await queries.one(nextVersion, { id }));
}

/** Returns the same as the first step of a batch; `nextOf` reads its rows. Later steps see the new version. */
export function nextMountStep(id: string): Step<MountState> {
  return step(nextVersion, { id });
}

/** @throws AppError not-found if the mount was disabled meanwhile */
export function nextOf([state]: readonly MountState[]): MountState {
  return found(state);
}

/** Returns the number of changes to the mount's stored intermediates. Undefined if the mount is gone. */
export async function stateOfIntermediates(queries: Queries, id: string): Promise<number | undefined> {
  return (await queries.one(intermediatesById, { id }))?.intermediates;
}

/** Increments that number, like `nextMountState`. Undefined if the mount was disabled. */
export async function nextIntermediates(queries: Queries, id: string): Promise<number | undefined> {
  return (await queries.one(changeIntermediates, { id }))?.intermediates;
}

export async function setMountConfig(queries: Queries, id: string, config: string): Promise<void> {
  await queries.run(setConfig, { id, config });
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not-found', 'the mount was disabled');
  return row;
}
