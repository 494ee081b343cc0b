import type { Transaction } from '../../../storage/index.ts';
import { SILENCE } from '../agent-pool/agent.ts';
import { inOneLine } from '../run/log-text.ts';
import type { RunPhases } from '../run/phases.ts';
import type { Run } from '../run/run.ts';
import * as agentPresence from '../run/waiting/agent-presence-store.ts';
import { absenceOf } from '../run/waiting/reasons.ts';

/**
 * Writes to the log of a queued run that no agent is connected, at once: `tofu` and `terraform` show nothing else while
 * they wait. `NoAgentNotice` reports it to everybody else, after a time in which on-demand agents start.
 */
export class AbsenceNote {
  readonly #phases: Pick<RunPhases, 'notePreface'>;
  readonly #hasOwn: boolean;

  /** @param hasOwn whether the server has agents of its own, for workspaces in `remote` mode */
  constructor(phases: Pick<RunPhases, 'notePreface'>, hasOwn: boolean) {
    this.#phases = phases;
    this.#hasOwn = hasOwn;
  }

  async queued(tx: Transaction, { id, status }: Pick<Run, 'id' | 'status'>, now: number): Promise<void> {
    const place = (await agentPresence.queuePlaces(tx, [id], now - SILENCE, this.#hasOwn)).get(id);
    const reason = place === undefined ? null : absenceOf(place, this.#hasOwn);
    if (reason === null) return;
    const text = `Waiting: ${inOneLine(reason)}. The run starts when an agent connects.`;
    await this.#phases.notePreface(tx, id, text, status === 'apply_queued' ? 'apply' : 'plan');
  }
}
