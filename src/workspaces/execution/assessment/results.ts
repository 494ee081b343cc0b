import type { Transaction } from '../../../storage/index.ts';
import { setAssessment } from '../../workspace/index.ts';
import type { AssessmentListener, Findings } from '../lifecycle/assessment.ts';
import { isAssessment, type Run } from '../run/run.ts';
import type { RunStep } from '../run/run-effect.ts';
import * as store from './store.ts';

/** @limit assessment results of a workspace, results -> the oldest are deleted with their outputs */
const MOST_KEPT = 30;
/** @limit assessments that are deleted when one finishes, assessments -> the next one deletes the others */
const MOST_REMOVED = 10;
const SILENT = 'The plan failed. Its log has the reason';

/** Converts reports about the plans of assessments to results. */
export class Results {
  readonly #finished: AssessmentListener;

  /** @param finished called with each finished assessment, in its transaction */
  constructor(finished: AssessmentListener) {
    this.#finished = finished;
  }

  /** Stores the counts that the agent reports before it reports the end of the plan. */
  readonly note = async (tx: Transaction, run: Run, findings: Findings): Promise<void> => {
    if (isAssessment(run)) await store.setFindings(tx, run.id, findings);
  };

  /** Stores the result of an assessment that is over. */
  async finish(tx: Transaction, run: Run, { now, reason }: Pick<RunStep, 'now' | 'reason'>): Promise<void> {
    const succeeded = run.status === 'planned_and_finished';
    // An assessment that made way for a run has no result; one that timed out has.
    if (!succeeded && run.status !== 'errored' && run.cancelReason === null)
      return void (await store.removeResult(tx, run.id));
    const errorMessage = succeeded ? null : (reason ?? SILENT);
    const ending = { runId: run.id, succeeded, hasChanges: run.hasChanges, errorMessage, finishedAt: now };
    const result = await store.finishResult(tx, ending);
    if (result === undefined) return;
    await setAssessment(tx, run.workspaceId, result.id, now);
    const prior = await store.previousResult(tx, result);
    await this.#finished(tx, result, prior);
    await store.removeOtherResults(tx, run.workspaceId, MOST_KEPT, MOST_REMOVED);
  }
}
