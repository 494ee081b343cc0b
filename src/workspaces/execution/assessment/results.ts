import type { Transaction } from '../../../storage/index.ts';
import { setAssessment } from '../../workspace/index.ts';
import type { AssessmentListener, Findings } from '../lifecycle/assessment.ts';
import { isFinal } from '../lifecycle/status.ts';
import { isAssessment, type Run } from '../run/run.ts';
import type { TransitionListener } from '../run/run-state-machine.ts';
import * as store from './store.ts';

/** @limit results that are kept of a workspace, results -> the oldest go, with what was handed in of them */
const MOST_KEPT = 30;
/** @limit assessments that go when one is over, assessments -> the rest goes with the next */
const MOST_REMOVED = 10;
const SILENT = 'The plan did not go well: its log says why';

/** Makes results of what is told of the plans behind them. */
export class Results {
  readonly finished: AssessmentListener[] = [];

  /** What the agent has counted, before it tells that the plan is made. */
  readonly note = async (tx: Transaction, run: Run, findings: Findings): Promise<void> => {
    if (isAssessment(run)) await store.setFindings(tx, run.id, findings);
  };

  /** Told of each step of a run. */
  readonly onTransition: TransitionListener = async (tx, run, { now, reason }) => {
    if (!isAssessment(run) || !isFinal(run.status)) return;
    const succeeded = run.status === 'planned_and_finished';
    // One that had to give way says nothing; one that took too long does.
    if (!succeeded && run.status !== 'errored' && run.cancelReason === null)
      return void (await store.removeResult(tx, run.id));
    const errorMessage = succeeded ? null : (reason ?? SILENT);
    const ending = { runId: run.id, succeeded, hasChanges: run.hasChanges, errorMessage, finishedAt: now };
    const result = await store.finishResult(tx, ending);
    if (result === undefined) return;
    await setAssessment(tx, run.workspaceId, result.id, now);
    const prior = await store.previousResult(tx, result);
    for (const tell of this.finished) await tell(tx, result, prior);
    await store.removeOtherResults(tx, run.workspaceId, MOST_KEPT, MOST_REMOVED);
  };
}
