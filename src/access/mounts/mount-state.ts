import { AppError } from '../../lib/errors.ts';
import { type Queries, type Step, sql, step } from '../../storage/index.ts';

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

const intermediatesById = sql<{ id: string }, { intermediates: number }>(
  'SELECT intermediates FROM mount WHERE id = :id',
);
const changeIntermediates = sql<{ id: string }, { intermediates: number }>(
  'UPDATE mount SET intermediates = intermediates + 1 WHERE id = :id AND removed_at IS NULL RETURNING intermediates',
);

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

/** The same as the first step of a batch, whose rows `nextOf` reads: what comes after it sees the new version. */
export function nextMountStep(id: string): Step<MountState> {
  return step(nextVersion, { id });
}

/** @throws AppError not-found, when the mount was disabled while the request was on its way */
export function nextOf([state]: readonly MountState[]): MountState {
  return found(state);
}

/** How often the intermediates that are kept at the mount have changed; undefined when it is gone. */
export async function stateOfIntermediates(queries: Queries, id: string): Promise<number | undefined> {
  return (await queries.one(intermediatesById, { id }))?.intermediates;
}

/** Says that they change, as `nextMountState` does for the rest; undefined when the mount was disabled. */
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
