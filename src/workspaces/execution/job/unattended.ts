import { type Clock, isoTime } from '../../../lib/clock.ts';
import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import { isQueued } from '../lifecycle/queue.ts';
import { addEvent } from '../run/history/event-store.ts';
import type { Run } from '../run/run.ts';
import * as store from '../run/store.ts';
import type { Chore } from './run-watch.ts';
import * as unattendedStore from './unattended-store.ts';

/** A run waits for so long before anybody says that nobody is there for it, milliseconds: agents come when they are needed. */
const PATIENCE = 30_000;

const NO_AGENTS =
  'Nobody carries out the runs of this workspace: it has no agent pool. Give it the execution mode "agent" and a pool whose ' +
  'agents run, or the execution mode "local"';

const NO_OWN =
  'No agent of this installation has been heard of: none has ever registered, or the last one is gone for hours';
const NO_OWN_SINCE = 'No agent of this installation has been heard of since';

/**
 * Says of a run in the queue that nobody is there to carry it out, in words and once: in an event, and in the run for as long as it
 * is so. That others are carried out before it is no reason: it waits for its turn.
 */
export class Unattended implements Chore {
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
      await unattendedStore.alone(db, now - PATIENCE, since, this.#hasOwn),
      await unattendedStore.served(db, since, this.#hasOwn),
    ];
    return [...alone, ...served];
  }

  async tend(tx: Transaction, runId: string): Promise<void> {
    const now = this.#clock();
    const run = await store.claim(tx, runId);
    const place = run && (await unattendedStore.placeOf(tx, runId, now - SILENCE, this.#hasOwn));
    if (run === undefined || place === undefined) return;
    const reason = place.isServed === 1 ? null : reasonOf(place, this.#hasOwn);
    // Since when is told once: it is the answer to the question why, and no clock.
    if ((reason === null) === (run.waitingFor === null)) return;
    await store.update(tx, { ...run, waitingFor: reason }, isQueued(run.status));
    if (reason !== null) await this.#tell(tx, run, reason, now);
  }

  async #tell(tx: Transaction, { id: runId }: Run, description: string, now: number): Promise<void> {
    const event = { runId, action: 'waiting_for_agent', actor: null, commentId: null, description, createdAt: now };
    await addEvent(tx, { id: prefixedId('re', now), ...event });
  }
}

function reasonOf({ pool, isRemote, lastPingAt, isConnected }: unattendedStore.Place, hasOwn: boolean): string {
  if (isRemote === 1 && hasOwn) return lastPingAt === null ? NO_OWN : `${NO_OWN_SINCE} ${isoTime(lastPingAt)}`;
  if (pool === null) return NO_AGENTS;
  if (isConnected === 1) return `Nobody carries out the run: agent pool ${pool} is not for this workspace any more`;
  if (lastPingAt !== null) return `No agent of pool ${pool} has been heard of since ${isoTime(lastPingAt)}`;
  return `No agent of pool ${pool} has been heard of: none has ever registered, or the last one is gone for hours`;
}
