import { prefixedId } from '../../../lib/ids.ts';
import type { Transaction } from '../../../storage/index.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { addEvent } from './history/event-store.ts';
import type { Run } from './run.ts';
import * as store from './store.ts';
import * as turnStore from './turn-store.ts';

/** Why the server itself wants a run to end. */
export interface Interruption {
  /** Action of the run event. */
  readonly action: string;
  /** Text of the run event, and of the log after the run has ended. Without the last full stop. */
  readonly reason: string;
}

/** Asks the agent to interrupt the engine, as if somebody had canceled the run. After `store.claim`. @param now milliseconds since 1970 */
export async function interrupt(
  tx: Transaction,
  run: Run,
  { action, reason }: Interruption,
  now: number,
): Promise<void> {
  await store.update(tx, { ...run, canceledAt: now, cancelReason: reason }, isQueued(run.status));
  const event = { runId: run.id, action, actor: null, commentId: null, description: reason, createdAt: now };
  await addEvent(tx, { id: prefixedId('re', now), ...event });
}

const LOCK_LOST: Interruption = {
  action: 'lock_lost',
  reason:
    'The run was interrupted: the lock of its workspace was taken away during the apply. What was applied is in its state, ' +
    'or in the errored state of the apply if someone else had locked the workspace by then',
};

/** Interrupts a running apply of a workspace that was unlocked, because others may change the state from now on. */
export async function interruptApplyIn(tx: Transaction, workspaceId: string, now: number): Promise<void> {
  const id = await turnStore.activeIn(tx, workspaceId);
  const run = id === undefined ? undefined : await store.claim(tx, id);
  if (run?.status === 'applying' && run.canceledAt === null) await interrupt(tx, run, LOCK_LOST, now);
}
