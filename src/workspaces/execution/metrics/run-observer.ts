import type { Transaction } from '../../../storage/index.ts';
import { isPhaseOver, type Phase, type PhaseKind, type PhaseStatus } from '../lifecycle/phase.ts';
import { FINAL, isFinal, type RunStatus } from '../lifecycle/status.ts';
import type { Run } from '../run/run.ts';

/** Outcome of a job whose agent is lost: another agent takes it, or the run is over. */
export const LOSSES = ['requeued', 'errored', 'canceled'] as const;
/** Final statuses of a run. */
export const RUN_OUTCOMES: readonly RunStatus[] = FINAL.filter((status) => status !== 'assessed');

/** Observes runs on this node after each commit. Durations are seconds. */
export interface RunObserver {
  runEnded(outcome: RunStatus): void;
  /** Seconds that the job has waited in the queue. */
  phaseBegan(kind: PhaseKind, waited: number): void;
  phaseEnded(kind: PhaseKind, outcome: PhaseStatus, took: number): void;
  jobLost(outcome: (typeof LOSSES)[number]): void;
}

/** Calls the observers of metrics. */
export class RunObservers {
  readonly #observers: RunObserver[] = [];

  add(observer: RunObserver): void {
    this.#observers.push(observer);
  }

  /** Counts a transition with the phases that it changed. */
  transitioned(tx: Transaction, { status }: Run, phases: readonly Phase[]): void {
    for (const phase of phases) this.#phased(tx, phase);
    if (isFinal(status)) this.#tell(tx, (observer) => observer.runEnded(status));
  }

  jobLost(tx: Transaction, outcome: (typeof LOSSES)[number]): void {
    this.#tell(tx, (observer) => observer.jobLost(outcome));
  }

  #phased(tx: Transaction, { kind, status, timestamps }: Phase): void {
    const { queued, started } = timestamps;
    const ended = timestamps[status];
    if (status === 'running' && queued !== undefined && started !== undefined) {
      this.#tell(tx, (observer) => observer.phaseBegan(kind, (started - queued) / 1000));
    }
    if (isPhaseOver(status) && started !== undefined && ended !== undefined) {
      this.#tell(tx, (observer) => observer.phaseEnded(kind, status, (ended - started) / 1000));
    }
  }

  #tell(tx: Transaction, what: (observer: RunObserver) => void): void {
    tx.afterCommit(() => {
      for (const observer of this.#observers) what(observer);
    });
  }
}
