import type { Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { allows, isIdle, isStage } from '../lifecycle/status.ts';
import type { Run } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import * as store from './store.ts';

/** Context of a cancellation. */
export interface Cancellation {
  readonly now: number;
  /** Actor of the cancellation; null if the server acts by itself. */
  readonly actor: Identifier | null;
  readonly commentId?: string | null;
}

/**
 * Cancels a run. A run that no agent executes ends at once; otherwise the server requests the agent to stop it. Call
 * `store.claimRun` first.
 * @returns false if the run is over, waits for confirmation, or is being canceled already
 */
export async function cancelRun(
  stateMachine: RunStateMachine,
  tx: Transaction,
  run: Run,
  cancellation: Cancellation,
): Promise<boolean> {
  if (!allows('cancel', run.status) || run.canceledAt !== null) return false;
  const asked = { ...run, canceledAt: cancellation.now };
  // A run task evaluates the run but does not execute it, so no agent has to be stopped.
  const idle = isIdle(run.status) || (isStage(run.status) && run.agentId === null);
  if (idle) await stateMachine.transition(tx, asked, 'canceled', cancellation);
  else await store.updateRun(tx, asked, isQueued(run.status));
  return true;
}
