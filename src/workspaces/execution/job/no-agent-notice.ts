import type { Clock } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { addEvent } from '../run/history/event-store.ts';
import type { Run } from '../run/run.ts';
import * as store from '../run/store.ts';
import * as agentPresence from '../run/waiting/agent-presence-store.ts';
import { absenceOf } from '../run/waiting/reasons.ts';
import type { Reconciler } from './run-reconciler.ts';

/** A run waits for so long before an event says that no agent is there for it, milliseconds: agents come when they are needed. */
const TIMEOUT = 30_000;

/**
 * Notes of a run in the queue that no agent is there to execute it, in words and once: in an event, and in its row for as long as it
 * is so, where operators count it. That others are executed before it is no reason: it waits for its turn.
 */
export class NoAgentNotice implements Reconciler {
  readonly #clock: Clock;

  readonly #hasOwn: boolean;

  /** @param hasOwn whether the installation has agents of its own, for workspaces that leave their runs to it */
  constructor(clock: Clock, hasOwn: boolean) {
    this.#clock = clock;
    this.#hasOwn = hasOwn;
  }

  async due(db: Queries): Promise<string[]> {
    const now = this.#clock();
    const since = now - SILENCE;
    const [alone, served] = [
      await agentPresence.runsWithoutAgent(db, now - TIMEOUT, since, this.#hasOwn),
      await agentPresence.runsWithAgent(db, since, this.#hasOwn),
    ];
    return [...alone, ...served];
  }

  async reconcile(tx: Transaction, runId: string): Promise<void> {
    const now = this.#clock();
    const run = await store.claimRun(tx, runId);
    const place = (await agentPresence.queuePlaces(tx, [runId], now - SILENCE, this.#hasOwn)).get(runId);
    if (run === undefined || place === undefined) return;
    const reason = absenceOf(place, this.#hasOwn);
    // Since when is told once: it is the answer to the question why, and no clock.
    if ((reason === null) === (run.waitingFor === null)) return;
    await store.updateRun(tx, { ...run, waitingFor: reason }, isQueued(run.status));
    if (reason !== null) await this.#addNotice(tx, run, reason, now);
  }

  async #addNotice(tx: Transaction, { id: runId }: Run, description: string, now: number): Promise<void> {
    const event = { runId, action: 'waiting_for_agent', actor: null, commentId: null, description, createdAt: now };
    await addEvent(tx, { id: prefixedId('re', now), ...event });
  }
}
