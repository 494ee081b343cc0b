import type { Transaction } from '../../../storage/index.ts';
import { isPhaseOver, type Phase, type PhaseKind, type PhaseStatus } from '../lifecycle/phase.ts';
import { FINAL, isFinal, type RunStatus } from '../lifecycle/status.ts';
import { isAssessment } from '../run/run.ts';
import type { RunStateMachine } from '../run/run-state-machine.ts';

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

/** Calls the observers of metrics. Skips assessments, which users do not see as runs. */
export class RunObservers {
  readonly #observers: RunObserver[] = [];

  constructor(stateMachine: RunStateMachine) {
    stateMachine.onTransition.push(async (tx, run) => {
      if (isFinal(run.status) && !isAssessment(run)) this.#tell(tx, (observer) => observer.runEnded(run.status));
    });
    stateMachine.onPhaseChange.push((tx, run, phase) => {
      if (!isAssessment(run)) this.#phased(tx, phase);
    });
  }

  add(observer: RunObserver): void {
    this.#observers.push(observer);
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
