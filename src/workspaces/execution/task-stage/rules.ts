import type { RunStatus } from '../lifecycle/status.ts';
import { inOneLine } from '../run/log-text.ts';
import type { Run } from '../run/run.ts';
import { type EnforcementLevel, type RunTask, STAGES, type Stage, type WorkspaceTask } from '../run-task/run-task.ts';
import { isTaskOver, type StageStatus, type TaskResult } from './task-stage.ts';

/** What is to be asked at a stage of a run. */
export interface Question {
  readonly task: RunTask;
  readonly workspaceTaskId: string | null;
  readonly enforcementLevel: EnforcementLevel;
}

/** What a run is in while a stage lasts, and after it. */
export const DURING = {
  pre_plan: 'pre_plan_running',
  post_plan: 'post_plan_running',
  pre_apply: 'pre_apply_running',
  post_apply: 'post_apply_running',
} as const satisfies Record<Stage, RunStatus>;
/** See DURING. */
export const AFTER = {
  pre_plan: 'pre_plan_completed',
  post_plan: 'post_plan_completed',
  pre_apply: 'pre_apply_completed',
  post_apply: 'post_apply_completed',
} as const satisfies Record<Stage, RunStatus>;

/** Before which statuses each stage stands. */
const BEFORE: Readonly<Record<Stage, readonly RunStatus[]>> = {
  pre_plan: ['plan_queued'],
  post_plan: ['confirmed', 'planned_and_saved', 'planned_and_finished'],
  pre_apply: ['apply_queued'],
  post_apply: ['applied'],
};

/** The stage that begins where a run comes to that status. */
export function stageDuring(status: RunStatus): Stage | undefined {
  return STAGES.find((stage) => DURING[stage] === status);
}

/** The stage that a run has to pass before it comes to `wanted`. Of a plan that changes nothing, there is nothing to judge. */
export function stageBefore(run: Run, wanted: RunStatus): Stage | undefined {
  const appliesNothing = !run.hasChanges && !run.parameters['allow-empty-apply'];
  if (wanted === 'planned_and_finished' && appliesNothing) return undefined;
  return STAGES.find((stage) => BEFORE[stage].includes(wanted) || DURING[stage] === wanted);
}

/**
 * Who is asked at each stage of a run. Where a task judges the workspace and all others too, it is asked once, and is mandatory
 * where one of both says so. What is applied cannot be held up any more: there, tasks only advise.
 * @param own by which tasks the workspace is judged
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

/** What becomes of a stage by what its tasks have said; undefined while one of them has not. */
export function verdictOf(results: readonly TaskResult[]): 'passed' | 'failed' | undefined {
  if (results.some(({ status }) => !isTaskOver(status))) return undefined;
  const stands = results.every(
    ({ status, enforcementLevel }) => status === 'passed' || enforcementLevel === 'advisory',
  );
  return stands ? 'passed' : 'failed';
}

/** Why a run ends at a stage, for the end of its log. */
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

/** What becomes of a stage whose run is over. */
export function stageAfterRun(status: StageStatus, run: RunStatus): StageStatus {
  if (isTaskOver(status)) return status;
  if (status === 'pending') return 'unreachable';
  return run === 'errored' ? 'errored' : 'canceled';
}
