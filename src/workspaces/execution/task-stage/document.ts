import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { StagesShown } from '../run/presenter.ts';
import type { TaskOutcome, TaskResult } from './task-stage.ts';
import type { StageView, TaskStages } from './task-stages.ts';

/** Returns the JSON:API resource of a stage. */
export function stageResource(stage: StageView): Resource {
  return {
    id: stage.id,
    type: 'task-stages',
    attributes: {
      actions: { 'is-overridable': false },
      'created-at': isoTime(stage.createdAt),
      permissions: { 'can-override': false, 'can-override-policy': false, 'can-override-tasks': false },
      stage: stage.stage,
      status: stage.status,
      'status-timestamps': timesOf(stage.timestamps),
      'updated-at': isoTime(stage.updatedAt),
    },
    relationships: {
      'policy-evaluations': { data: [] },
      run: toOne('runs', stage.runId),
      'task-results': { data: stage.results.map(({ id }) => ({ type: 'task-results', id })) },
    },
    links: { self: `/api/v2/task-stages/${stage.id}` },
  };
}

/** Stages as resources of run documents. */
export function shownStages(stages: TaskStages): StagesShown {
  return {
    async ofRuns(runIds) {
      const byRun = Map.groupBy(await stages.ofRuns(runIds), ({ runId }) => runId);
      return new Map([...byRun].map(([runId, views]) => [runId, views.map(stageResource)]));
    },
  };
}

/** Returns the JSON:API resource of a task result. */
export function resultResource(result: TaskResult): Resource {
  const self = `/api/v2/task-results/${result.id}`;
  const stage = toOne('task-stages', result.stageId);
  return {
    id: result.id,
    type: 'task-results',
    attributes: {
      'agent-pool-id': null,
      'created-at': isoTime(result.createdAt),
      message: result.message,
      status: result.status,
      'status-timestamps': timesOf(result.timestamps),
      'task-id': result.taskId,
      'task-name': result.taskName,
      'task-url': result.taskUrl,
      'updated-at': isoTime(result.updatedAt),
      url: result.url,
      'workspace-task-enforcement-level': result.enforcementLevel,
      'workspace-task-id': result.workspaceTaskId,
    },
    // The documentation spells it with a hyphen, official clients without.
    relationships: { outcomes: linked(`${self}/outcomes`), 'task-stage': stage, task_stage: stage },
    links: { self },
  };
}

/** Returns the JSON:API resource of one outcome of a result. */
export function outcomeResource({ id, resultId: _, outcomeId, ...outcome }: TaskOutcome): Resource {
  return { id, type: 'task-result-outcomes', attributes: { 'outcome-id': outcomeId, ...outcome } };
}

function timesOf(timestamps: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(timestamps).map(([name, time]) => [`${name}-at`, isoTime(time)]));
}
