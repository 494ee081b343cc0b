import { prefixedId } from '../../../lib/ids.ts';
import type { Queries, Transaction } from '../../../storage/index.ts';
import type { Identifier } from '../../jsonapi/document.ts';
import type { RunStart } from '../run/start.ts';
import * as scheduleStore from './schedule-store.ts';
import * as store from './store.ts';

/** Reason why a workspace cannot be assessed. `busy` is temporary. */
export type Obstacle = { readonly kind: 'busy' | 'unfit'; readonly reason: string };

const GOOD: readonly (string | null)[] = ['applied', 'planned_and_finished'];

/** Starts assessments. An assessment is a hidden run with a refresh-only plan. */
export class Beginning {
  readonly #start: RunStart;

  constructor(start: RunStart) {
    this.#start = start;
  }

  /** Whether daily assessments are enabled. */
  async isWanted(db: Queries, workspaceId: string): Promise<boolean> {
    return (await scheduleStore.assessed(db, workspaceId))?.isWanted ?? false;
  }

  /**
   * Starts an assessment. Returns the obstacle that prevents it; undefined if the assessment has started.
   * @param by null for a scheduled assessment
   */
  async begin(tx: Transaction, workspaceId: string, by: Identifier | null, now: number): Promise<Obstacle | undefined> {
    await scheduleStore.lockSchedule(tx, workspaceId);
    const facts = await scheduleStore.assessed(tx, workspaceId);
    const workspace = await this.#start.workspace(tx, workspaceId);
    if (facts === undefined || workspace === undefined) return { kind: 'unfit', reason: 'The workspace was deleted' };
    const obstacle = obstacleOf(facts) ?? (await busyWith(tx, workspaceId));
    if (obstacle !== undefined) return obstacle;
    const request = {
      configurationVersionId: facts.configurationVersionId ?? '',
      ...{ source: 'tfe-assessment', triggerReason: 'assessment', message: 'Health assessment' },
      operation: 'assessment',
      speculative: true,
      parameters: { 'refresh-only': true },
      createdBy: by ?? { type: 'workspaces', id: workspaceId },
    } as const;
    const runId = await this.#start.startFor(tx, workspace, request, now);
    await store.insertResult(tx, { id: prefixedId('asmtres', now), workspaceId, runId, createdAt: now });
    return undefined;
  }
}

function obstacleOf({
  executionMode,
  runStatus,
  configurationVersionId,
}: scheduleStore.Assessed): Obstacle | undefined {
  if (executionMode === 'local') {
    return {
      kind: 'unfit',
      reason: 'The execution mode of the workspace is local, so the server executes nothing for it',
    };
  }
  if (!GOOD.includes(runStatus)) {
    const what = runStatus === null ? 'has no run yet' : `has a last run that is ${runStatus}`;
    return {
      kind: 'unfit',
      reason: `The workspace ${what}. An assessment needs a last run that was applied or planned completely`,
    };
  }
  if (configurationVersionId !== undefined) return undefined;
  return { kind: 'unfit', reason: 'The configuration version of the last run was deleted. Start another run' };
}

async function busyWith(tx: Transaction, workspaceId: string): Promise<Obstacle | undefined> {
  const { runs, assessments } = await store.unfinishedRuns(tx, workspaceId);
  if (assessments.length > 0) return { kind: 'busy', reason: 'The workspace is being assessed already' };
  if (runs.length > 0) return { kind: 'busy', reason: `The workspace has an unfinished run: ${runs[0]}` };
  return undefined;
}
