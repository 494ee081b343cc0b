import type { Transaction } from '../../storage/index.ts';
import { setCurrentConfigurationVersion, setPerformance } from '../workspace/index.ts';
import { forgetRequesters } from './approval/requesters.ts';
import type { AssessmentCancellation } from './assessment/assessment-cancellation.ts';
import type { Results } from './assessment/results.ts';
import type { Schedule } from './assessment/schedule.ts';
import type { AutoDestroyResults } from './auto-destroy/results.ts';
import { SOURCE as AUTO_DESTROY } from './auto-destroy/rules.ts';
import type { AbsenceNote } from './job/absence-note.ts';
import type { ClaimWaits } from './job/claim-waits.ts';
import type { JobTraces } from './job/job-traces.ts';
import type { SavedPlans } from './job/saved-plans.ts';
import { MEASURED_RUNS, performanceOf } from './lifecycle/measure.ts';
import { FINAL, RUN_STATUSES, STAGES_RUNNING, STARTS_PHASE } from './lifecycle/status.ts';
import type { RunObservers } from './metrics/run-observer.ts';
import { NOTIFIED_STATUSES } from './notification/triggers.ts';
import type { RunOutputs } from './output/run-outputs.ts';
import { settlePackages } from './package/packages.ts';
import type { LogWaits } from './run/log-waits.ts';
import { measuredPhases } from './run/phase-store.ts';
import type { RunPhases } from './run/phases.ts';
import type { Run } from './run/run.ts';
import type { RunEffect } from './run/run-effect.ts';
import type { RunStateMachine } from './run/run-state-machine.ts';
import type { StageWalk } from './task-stage/walk.ts';

/** Services that react to runs. */
export interface RunEffectsOptions {
  readonly stateMachine: RunStateMachine;
  readonly phases: RunPhases;
  readonly logWaits: LogWaits;
  readonly observers: RunObservers;
  readonly traces: JobTraces;
  readonly taskStages: StageWalk;
  readonly outputs: RunOutputs;
  readonly claimWaits: ClaimWaits;
  /** Absent if programs that the server does not know may execute runs. */
  readonly absenceNote: AbsenceNote | undefined;
  readonly assessments: {
    readonly cancellation: AssessmentCancellation;
    readonly results: Results;
    readonly schedule: Schedule;
  };
  readonly autoDestroy: AutoDestroyResults;
  readonly notify: RunEffect['run'];
  readonly savedPlans: SavedPlans;
  /** Makes the reports about the commit of a run due. */
  readonly reportCommit: (tx: Transaction, run: Run) => void;
  readonly fireTriggers: (tx: Transaction, applied: Run, now: number) => Promise<void>;
}

/**
 * Returns everything that happens when a run enters a status, in its order and in the transaction of the transition.
 * Before it, the state machine has updated the run, its phases, the status that the workspace shows, and the events of
 * the run. `test/golden/run-effects-by-status.txt` has the table.
 */
export function runEffects(options: RunEffectsOptions): readonly RunEffect[] {
  const { stateMachine, phases, observers, traces, taskStages, outputs, claimWaits, assessments, autoDestroy } =
    options;
  return [
    {
      name: 'the log gets the reason of an early end',
      on: FINAL,
      run: (tx, _run, { before }) => before.cancelReason && phases.noteEnd(tx, before, before.cancelReason),
    },
    { name: 'readers of the log wake', on: RUN_STATUSES, run: (tx, { id }) => options.logWaits.wake(tx, id) },
    {
      name: 'metrics count the run and its phases',
      on: RUN_STATUSES,
      of: 'runs',
      run: (tx, run, step) => observers.transitioned(tx, run, step.phases),
    },
    // Run tasks do not evaluate assessments, which change nothing.
    {
      name: 'stages of run tasks are created',
      on: ['pending'],
      of: 'runs',
      run: (tx, run, { now }) => taskStages.create(tx, run, now),
    },
    {
      name: 'a stage of run tasks begins',
      on: STAGES_RUNNING,
      of: 'runs',
      run: (tx, run, { now }) => taskStages.begin(tx, run, now),
    },
    {
      name: 'stages of run tasks are closed',
      on: FINAL,
      of: 'runs',
      run: (tx, run, { now }) => taskStages.close(tx, run, now),
    },
    { name: 'the plan artifact is deleted', on: FINAL, run: (tx, { id }) => outputs.removePlan(tx, id) },
    {
      name: 'agents that wait for a job wake',
      on: STARTS_PHASE,
      run: (tx, { organizationId }) => claimWaits.wake(tx, organizationId),
    },
    {
      name: 'the log says that no agent is connected',
      on: STARTS_PHASE,
      of: 'runs',
      run: (tx, run, { now }) => options.absenceNote?.queued(tx, run, now),
    },
    {
      name: 'an assessment of the workspace makes way',
      on: ['pending'],
      of: 'runs',
      run: (tx, { workspaceId }, { now }) => assessments.cancellation.makeWay(tx, workspaceId, now),
    },
    {
      name: 'the run counts as activity in the workspace',
      on: ['pending'],
      of: 'runs',
      run: (tx, run, { now }) => autoDestroy.started(tx, run, now),
    },
    {
      name: 'the result of the assessment is stored',
      on: FINAL,
      of: 'assessments',
      run: (tx, run, step) => assessments.results.finish(tx, run, step),
    },
    {
      name: 'the workspace is assessed every day',
      on: ['applied', 'planned_and_finished'],
      of: 'runs',
      run: (tx, { workspaceId }, { now }) => assessments.schedule.add(tx, workspaceId, now),
    },
    {
      name: 'the provider of its commit gets the result',
      on: RUN_STATUSES,
      of: 'runs',
      run: (tx, run) => options.reportCommit(tx, run),
    },
    { name: 'notifications are stored', on: NOTIFIED_STATUSES, of: 'runs', run: options.notify },
    {
      name: 'the trace of the run ends',
      on: FINAL,
      run: (tx, run) => tx.afterCommit(() => traces.runEnded(run)),
    },
    {
      name: 'the configuration version becomes current',
      on: ['confirmed'],
      run: (tx, run) => setCurrentConfigurationVersion(tx, run.workspaceId, run.configurationVersionId),
    },
    {
      name: 'the providers and modules of the workspace are recorded',
      on: ['applied', 'planned_and_finished'],
      of: 'runs',
      run: (tx, run, { now }) => settlePackages(tx, run, now),
    },
    { name: 'the workspace is measured', on: ['applied', 'errored'], of: 'runs', run: measure },
    {
      name: 'saved plans become outdated',
      on: ['applied'],
      run: (tx, { workspaceId }) => options.savedPlans.applied(tx, workspaceId),
    },
    { name: 'run triggers start runs', on: ['applied'], run: (tx, run, { now }) => options.fireTriggers(tx, run, now) },
    // After the triggers: the requesters of this run are those of the next ones.
    { name: 'the requesters are forgotten', on: FINAL, of: 'runs', run: (tx, { id }) => forgetRequesters(tx, id) },
    {
      name: 'the workspace counts as destroyed',
      on: ['applied', 'planned_and_finished'],
      of: 'runs',
      run: (tx, run, { now }) => autoDestroy.destroyed(tx, run, now),
    },
    {
      name: 'the lock is released, and the next run gets the workspace',
      on: FINAL,
      run: (tx, run, { before, now }) => before.holdsWorkspace && stateMachine.release(tx, run, now),
    },
    // After the release, which may make a state of this run the current one: that is no activity of a user.
    {
      name: 'the workspace shows its automatic destroy run',
      on: RUN_STATUSES,
      of: 'runs',
      run: (tx, run, step) => run.source === AUTO_DESTROY && autoDestroy.progressed(tx, run, step),
    },
  ];
}

async function measure(tx: Transaction, { workspaceId }: Run): Promise<void> {
  await setPerformance(tx, workspaceId, performanceOf(await measuredPhases(tx, workspaceId, MEASURED_RUNS)));
}
