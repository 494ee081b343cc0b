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
import { isNotPostponed, postponeWork } from './postponed-work.ts';
import type { Reconciler } from './run-reconciler.ts';

/**
 * Time that a run waits before an event reports that no agent is connected, milliseconds. On-demand agents need some
 * time to start.
 */
const TIMEOUT = 30_000;

/**
 * Reports once for each queued run that no agent is connected to execute it: adds an event, and marks the row while
 * this holds, so that operators can count such runs. A run that only waits for other runs is not reported.
 */
export class NoAgentNotice implements Reconciler {
  readonly #clock: Clock;

  readonly #hasOwn: boolean;

  /** @param hasOwn whether the server has agents of its own, for workspaces in `remote` mode */
  constructor(clock: Clock, hasOwn: boolean) {
    this.#clock = clock;
    this.#hasOwn = hasOwn;
  }

  async due(db: Queries): Promise<string[]> {
    const now = this.#clock();
    const since = now - SILENCE;
    const unfailed = isNotPostponed('no-agent', now);
    const [alone, served] = [
      await agentPresence.runsWithoutAgent(db, now - TIMEOUT, since, this.#hasOwn, unfailed),
      await agentPresence.runsWithAgent(db, since, this.#hasOwn, unfailed),
    ];
    return [...alone, ...served];
  }

  async reconcile(tx: Transaction, runId: string): Promise<void> {
    const now = this.#clock();
    const run = await store.claimRun(tx, runId);
    const place = (await agentPresence.queuePlaces(tx, [runId], now - SILENCE, this.#hasOwn)).get(runId);
    if (run === undefined || place === undefined) return;
    const reason = absenceOf(place, this.#hasOwn);
    // The event gives the reason once. It is not repeated when only the time of the last request changes.
    if ((reason === null) === (run.waitingFor === null)) return;
    await store.updateRun(tx, { ...run, waitingFor: reason }, isQueued(run.status));
    if (reason !== null) await this.#addNotice(tx, run, reason, now);
  }

  async postpone(tx: Transaction, runId: string): Promise<void> {
    await postponeWork(tx, 'no-agent', runId, this.#clock());
  }

  async #addNotice(tx: Transaction, { id: runId }: Run, description: string, now: number): Promise<void> {
    const event = { runId, action: 'waiting_for_agent', actor: null, commentId: null, description, createdAt: now };
    await addEvent(tx, { id: prefixedId('re', now), ...event });
  }
}
