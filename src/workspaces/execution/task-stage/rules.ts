import type { RunStatus } from '../lifecycle/status.ts';
import { inOneLine } from '../run/log-text.ts';
import type { Run } from '../run/run.ts';
import { type EnforcementLevel, type RunTask, STAGES, type Stage, type WorkspaceTask } from '../run-task/run-task.ts';
import { isTaskOver, type StageStatus, type TaskResult } from './task-stage.ts';

/** A task to request at a stage of a run. */
export interface Question {
  readonly task: RunTask;
  readonly workspaceTaskId: string | null;
  readonly enforcementLevel: EnforcementLevel;
}

/** Run status during each stage, and after it. */
export const DURING = {
  pre_plan: 'pre_plan_running',
  post_plan: 'post_plan_running',
  pre_apply: 'pre_apply_running',
  post_apply: 'post_apply_running',
} as const satisfies Record<Stage, RunStatus>;
/** Run status after each stage, like DURING. */
export const AFTER = {
  pre_plan: 'pre_plan_completed',
  post_plan: 'post_plan_completed',
  pre_apply: 'pre_apply_completed',
  post_apply: 'post_apply_completed',
} as const satisfies Record<Stage, RunStatus>;

/** Run statuses before which each stage takes place. */
const BEFORE: Readonly<Record<Stage, readonly RunStatus[]>> = {
  pre_plan: ['plan_queued'],
  post_plan: ['confirmed', 'planned_and_saved', 'planned_and_finished'],
  pre_apply: ['apply_queued'],
  post_apply: ['applied'],
};

/** Returns the stage that starts when a run enters that status. */
export function stageDuring(status: RunStatus): Stage | undefined {
  return STAGES.find((stage) => DURING[stage] === status);
}

/**
 * Returns the stage that a run must pass before `wanted`. A run that finishes without anything to apply skips the
 * stage after its plan.
 */
export function stageBefore(run: Run, wanted: RunStatus): Stage | undefined {
  const appliesNothing = !run.hasChanges && !run.parameters['allow-empty-apply'];
  if (wanted === 'planned_and_finished' && appliesNothing) return undefined;
  return STAGES.find((stage) => BEFORE[stage].includes(wanted) || DURING[stage] === wanted);
}

/**
 * Returns the tasks for each stage of a run. A task that is set for the workspace and for the organization is
 * requested once, and is mandatory if either setting says so. After an apply, tasks are always advisory, because
 * nothing can be stopped.
 * @param own tasks of the workspace
 */
export function questionsOf(tasks: readonly RunTask[], own: readonly WorkspaceTask[]): ReadonlyMap<Stage, Question[]> {
  const questions = STAGES.map((stage): [Stage, Question[]] => {
    const asked = tasks.flatMap((task): Question[] => {
      const attached = own.find(({ taskId, stages }) => taskId === task.id && stages.includes(stage));
      const isGlobal = task.global.enabled && task.global.stages.includes(stage);
      if (attached === undefined && !isGlobal) return [];
      const levels = [attached?.enforcementLevel, isGlobal ? task.global.enforcementLevel : undefined];
      const isMandatory = stage !== 'post_apply' && levels.includes('mandatory');
      const enforcementLevel = isMandatory ? 'mandatory' : 'advisory';
      return [{ task, workspaceTaskId: attached?.id ?? null, enforcementLevel }];
    });
    return [stage, asked];
  });
  return new Map(questions.filter(([, asked]) => asked.length > 0));
}

/** Returns the status of a stage by the results of its tasks; undefined while a task has not reported. */
export function verdictOf(results: readonly TaskResult[]): 'passed' | 'failed' | undefined {
  if (results.some(({ status }) => !isTaskOver(status))) return undefined;
  const stands = results.every(
    ({ status, enforcementLevel }) => status === 'passed' || enforcementLevel === 'advisory',
  );
  return stands ? 'passed' : 'failed';
}

/** Returns the text for the end of the log that says why the run ended at a stage. */
export function logOfRefusal(results: readonly TaskResult[]): string {
  const refused = results.filter(
    ({ status, enforcementLevel }) => status !== 'passed' && enforcementLevel !== 'advisory',
  );
  const lines = refused.map(({ taskName, message, url }) => {
    const said = [message, url].filter((text) => text !== '').join(' ');
    return `The run task ${taskName} is required to pass, and has not${said === '' ? '' : `: ${inOneLine(said)}`}\n`;
  });
  return `\n${lines.join('')}`;
}

/** Returns the status of a stage whose run is over. */
export function stageAfterRun(status: StageStatus, run: RunStatus): StageStatus {
  if (isTaskOver(status)) return status;
  if (status === 'pending') return 'unreachable';
  return run === 'errored' ? 'errored' : 'canceled';
}
