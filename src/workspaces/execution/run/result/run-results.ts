import type { Database, Queries } from '../../../../storage/index.ts';
import { fragment, isOneOf, select } from '../../../query/dynamic.ts';
import type { ApplyProgress, ChangedResources, PlanProgress, RunResult, RunResults } from '../../../vcs/index.ts';
import type { Phase } from '../../lifecycle/phase.ts';
import { isFinal, isReady, type RunStatus } from '../../lifecycle/status.ts';
import { approvalsOf } from '../approval/run-approvals.ts';
import { phasesOfRuns } from '../phase-store.ts';
import type { Run, Timestamps } from '../run.ts';
import { readChangedResources } from './changed-resources.ts';

/** Runs in one query. */
const AT_ONCE = 500;

/** Files of plans. */
interface PlanFiles {
  open(
    kind: 'json-output-redacted',
    planId: string,
  ): Promise<{ readonly content: AsyncIterable<Uint8Array> } | undefined>;
}

/** Results of runs for the reports about their commits. It checks no permission. */
export class CommitRunResults implements RunResults {
  readonly #database: Database;
  readonly #files: PlanFiles;

  constructor(database: Database, files: PlanFiles) {
    this.#database = database;
    this.#files = files;
  }

  async of(db: Queries, runIds: readonly string[]): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (let from = 0; from < runIds.length; from += AT_ONCE) {
      const some = runIds.slice(from, from + AT_ONCE);
      const phases = Map.groupBy(await phasesOfRuns(db, some), ({ runId }) => runId);
      const found = (await shownRuns(db, some)).map((run) => runResult(run, phases.get(run.id) ?? []));
      results.push(...(await withApprovals(db, found)));
    }
    return results;
  }

  async changedResources(runId: string, most: number): Promise<ChangedResources | undefined> {
    const plan = (await phasesOfRuns(this.#database, [runId])).find(({ kind }) => kind === 'plan');
    const output = plan && (await this.#files.open('json-output-redacted', plan.id));
    return output && readChangedResources(output.content, most);
  }
}

/** Adds the number of missing approvals to runs that wait for them. */
async function withApprovals(db: Queries, results: readonly RunResult[]): Promise<RunResult[]> {
  const waiting = results.filter(({ apply }) => apply === 'confirmation').map(({ runId }) => runId);
  const counts = waiting.length === 0 ? undefined : await approvalsOf(db, waiting);
  return results.map((result) => {
    const { required = 0, given = 0 } = counts?.get(result.runId) ?? {};
    return required > given ? { ...result, approvals: required - given } : result;
  });
}

type Shown = Pick<Run, 'id' | 'status' | 'hasChanges' | 'timestamps'>;

/** Their position in the queue, which lists of runs have, would take too long. */
async function shownRuns(db: Queries, ids: readonly string[]): Promise<Shown[]> {
  type Row = {
    readonly id: string;
    readonly status: RunStatus;
    readonly hasChanges: number;
    readonly timestamps: string;
  };
  const rows = await select(
    db,
    fragment<Row>`select id, status, has_changes as "hasChanges", timestamps from run where ${isOneOf('id', ids)}`,
  );
  return rows.map((row) => ({
    ...row,
    hasChanges: row.hasChanges === 1,
    timestamps: JSON.parse(row.timestamps) as Timestamps,
  }));
}

/** Returns what a report shows of a run. */
export function runResult(run: Shown, phases: readonly Phase[]): RunResult {
  const plan = phases.find(({ kind }) => kind === 'plan');
  const progress = planOf(run, plan);
  const { additions = 0, changes = 0, destructions = 0 } = plan ?? {};
  const counts = { add: additions, change: changes, destroy: destructions };
  return { runId: run.id, plan: progress, apply: progress === 'changes' ? applyOf(run) : 'none', ...counts };
}

const CANCELED: readonly RunStatus[] = ['canceled', 'force_canceled'];
/** Statuses in which users or run tasks decide about the plan. */
const DECIDING: readonly RunStatus[] = ['policy_override', 'policy_soft_failed', 'tf_policy_override'];

function planOf({ status, hasChanges, timestamps }: Shown, plan: Phase | undefined): PlanProgress {
  const isConfirmed = timestamps.confirmed !== undefined;
  if (plan?.status === 'finished' && (isConfirmed || isEvaluated(status))) return hasChanges ? 'changes' : 'unchanged';
  if (status === 'errored') return 'failed';
  if (CANCELED.includes(status) || status === 'discarded') {
    return plan?.status === 'finished' && hasChanges ? 'changes' : 'canceled';
  }
  return plan?.status === 'running' || plan?.status === 'finished' ? 'running' : 'waiting';
}

/** Returns whether the plan was evaluated, so that it will not fail any more. */
function isEvaluated(status: RunStatus): boolean {
  if (isReady(status) || status === 'planned_and_saved' || DECIDING.includes(status)) return true;
  return status === 'planned_and_finished' || status === 'applied';
}

/** @param run with a plan that has changes */
function applyOf({ status }: Shown): ApplyProgress {
  if (status === 'planned_and_finished') return 'none';
  if (status === 'applied') return 'applied';
  if (status === 'errored') return 'failed';
  if (status === 'discarded') return 'discarded';
  if (CANCELED.includes(status)) return 'canceled';
  const waits = isReady(status) || status === 'planned_and_saved' || DECIDING.includes(status);
  return waits && !isFinal(status) ? 'confirmation' : 'running';
}
