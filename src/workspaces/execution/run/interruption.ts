import { isoTime } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import { sql, type Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { allows, isIdle, isStage } from '../lifecycle/status.ts';
import { addEvent } from './history/event-store.ts';
import * as queueStore from './queue-store.ts';
import type { Run } from './run.ts';
import type { RunStateMachine } from './run-state-machine.ts';
import * as store from './store.ts';

/** Reason for which the server itself ends a run. */
export interface Interruption {
  /** Action of the run event. */
  readonly action: string;
  /** Text of the run event, and of the log after the run has ended. Without the last full stop. */
  readonly reason: string;
}

/**
 * Asks the agent to interrupt the engine, as if a user had canceled the run. Call `store.claim` first.
 * @param now milliseconds since 1970
 */
export async function interrupt(
  tx: Transaction,
  run: Run,
  { action, reason }: Interruption,
  now: number,
): Promise<void> {
  await store.updateRun(tx, { ...run, canceledAt: now, cancelReason: reason }, isQueued(run.status));
  const event = { runId: run.id, action, actor: null, commentId: null, description: reason, createdAt: now };
  await addEvent(tx, { id: prefixedId('re', now), ...event });
}

/** Newest release of the lock of a run, with the user who released it. */
const selectUnlocker = sql<
  { workspaceId: string; runId: string },
  { name: string | null; id: string | null; at: number }
>(
  `SELECT unlocker_name AS name, unlocker_id AS id, unlocked_at AS at FROM lock_event
   WHERE workspace_id = :workspaceId AND holder_type = 'runs' AND holder_id = :runId AND unlocked_at IS NOT NULL
   ORDER BY id DESC LIMIT 1`,
);

/** Returns a sentence that says by whom and when the lock of a run's workspace was released. */
async function lockLost(tx: Transaction, workspaceId: string, runId: string): Promise<Interruption> {
  const unlocked = await tx.one(selectUnlocker, { workspaceId, runId });
  const by = unlocked && (unlocked.name || unlocked.id);
  const who = unlocked && by ? ` by ${by} at ${isoTime(unlocked.at)}` : '';
  return {
    action: 'lock_lost',
    reason:
      `The run was interrupted: the lock of its workspace was removed${who} during the apply. Applied changes are in its ` +
      'state, or in the errored state of the apply if someone else had locked the workspace by then',
  };
}

/** Interrupts a running apply of a workspace that was unlocked, because others may now change the state. */
export async function interruptApplyIn(tx: Transaction, workspaceId: string, now: number): Promise<void> {
  const id = await queueStore.runHoldingWorkspace(tx, workspaceId);
  const run = id === undefined ? undefined : await store.claimRun(tx, id);
  if (run?.status !== 'applying' || run.canceledAt !== null) return;
  await interrupt(tx, run, await lockLost(tx, workspaceId, run.id), now);
}

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
