import { AppError } from '../../../lib/errors.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { conflict } from '../../jsonapi/errors.ts';
import type { Lineage, StateStatus } from './state-version.ts';

const NOT_LOCKED = 'This workspace is not locked and will only accept state uploads when locked';
const NOT_YOURS = 'The workspace is locked by another holder: only the holder of the lock may upload states';
const NOT_APPLIED =
  'The run holds the lock and is not being applied by this caller: only its started apply uploads states';

/** A write of a state: the facts that decide whether the lock of the workspace allows it. */
export interface Writing {
  readonly holder: Identifier | null;
  readonly writer: Identifier;
  /** Run that produced the state; null for none. */
  readonly runId: string | null;
  /** Whether the writer applies that run. */
  readonly isApplying: boolean;
}

/**
 * Checks the lock of the workspace: only its holder writes states; if a run holds it, the agent that
 * applies the run. An agent whose run lost the lock during the apply may still store the state, unless someone else has
 * locked the workspace since.
 * @throws 409 otherwise
 */
export function checkHolder({ holder, writer, runId, isApplying }: Writing): void {
  if (holder === null) {
    if (isApplying && writer.type === 'agents') return;
    throw conflict(NOT_LOCKED);
  }
  if (holder.type === 'runs' && holder.id === runId) {
    if (isApplying) return;
    throw conflict(NOT_APPLIED);
  }
  if (holder.type !== writer.type || holder.id !== writer.id) throw conflict(NOT_YOURS);
}

/**
 * Checks that a state may follow the newest one. Allows the same state again, so that a client can repeat an upload.
 * @throws 409 for another lineage, a lower serial, or different content with the same serial, unless forced
 */
export function checkSuccession(newest: Lineage | undefined, next: Lineage & { readonly forced: boolean }): void {
  if (newest === undefined || next.forced) return;
  if (newest.lineage !== null && next.lineage !== null && newest.lineage !== next.lineage) {
    throw conflict('The lineage is not that of the current state: this state does not descend from it');
  }
  if (next.serial < newest.serial) {
    throw conflict(
      `The serial is lower than ${newest.serial}, the serial of the current state: the state has been updated in the meantime`,
    );
  }
  if (next.serial === newest.serial && next.md5 !== newest.md5) {
    throw conflict(
      `There is another state with serial ${newest.serial} already: the state has been updated in the meantime`,
    );
  }
}

/** An operation on the stored data of a version, the statuses from which it is allowed, and the resulting one. */
export const DATA_ACTIONS = {
  soft_delete_backing_data: { from: ['finalized'], to: 'backing_data_soft_deleted' },
  restore_backing_data: { from: ['backing_data_soft_deleted'], to: 'finalized' },
  permanently_delete_backing_data: { from: ['backing_data_soft_deleted'], to: 'backing_data_permanently_deleted' },
} as const satisfies Record<string, { from: readonly StateStatus[]; to: StateStatus }>;

/** One of DATA_ACTIONS: an operation on the stored data of a version. */
export type DataAction = keyof typeof DATA_ACTIONS;

/**
 * Checks whether an operation on the stored data is allowed.
 * @throws 400 when the status does not allow it, or the state is the current one
 */
export function checkTransition(action: DataAction, status: StateStatus, isCurrent: boolean): void {
  const from: readonly StateStatus[] = DATA_ACTIONS[action].from;
  if (from.includes(status) && !isCurrent) return;
  const what = isCurrent ? 'the current state version' : `a state version that is ${status}`;
  const detail = `transition not allowed: ${action} of ${what}`;
  throw new AppError('bad-request', detail, { title: 'transition not allowed' });
}
