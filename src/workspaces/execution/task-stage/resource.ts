import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, link, resourceOf, statusTimes, time, toMany, toOne } from '../../resource/index.ts';
import { ENFORCEMENT_LEVELS, STAGES } from '../run-task/run-task.ts';
import { RESULT_STATUSES, STAGE_STATUSES, type TaskOutcome, type TaskResult } from './task-stage.ts';
import type { StageView } from './task-stages.ts';

const line = Type.Optional(nullable(text(4096)));
const Tag = Type.Object({ label: text(255), level: Type.Optional(nullable(text(20))) });
const Tags = Type.Record(Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' }), Type.Array(Tag, { maxItems: 20 }), {
  maxProperties: 20,
});

/** A stage of a run with its results. This server has no policies, so nothing can be overridden. */
export const TaskStageResource = resourceOf<StageView>()('task-stages', {
  attributes: {
    actions: attribute(is.flags(['is-overridable']), () => ({ 'is-overridable': false })),
    'created-at': time('createdAt'),
    permissions: attribute(is.flags(['can-override', 'can-override-policy', 'can-override-tasks']), () => ({
      'can-override': false,
      'can-override-policy': false,
      'can-override-tasks': false,
    })),
    stage: attribute(Type.Enum([...STAGES]), 'stage'),
    status: attribute(Type.Enum([...STAGE_STATUSES]), 'status'),
    'status-timestamps': attribute(is.times, ({ timestamps }) => statusTimes(timestamps)),
    'updated-at': time('updatedAt'),
  },
  relationships: {
    'policy-evaluations': toMany('policy-evaluations', () => []),
    run: toOne('runs', 'runId'),
    'task-results': toMany('task-results', ({ results }) => results.map(({ id }) => id)),
  },
  links: ({ id }) => ({ self: `/api/v2/task-stages/${id}` }),
});

/** The result of a run task. The service of the task updates it. */
export const TaskResultResource = resourceOf<TaskResult>()('task-results', {
  attributes: {
    'agent-pool-id': attribute(Type.Null(), () => null),
    'created-at': time('createdAt'),
    status: attribute(Type.Enum([...RESULT_STATUSES]), 'status', {
      update: Type.Enum(['running', 'passed', 'failed']),
    }),
    message: attribute(is.text, 'message', { update: line }),
    'status-timestamps': attribute(is.times, ({ timestamps }) => statusTimes(timestamps)),
    'task-id': attribute(is.text, 'taskId'),
    'task-name': attribute(is.text, 'taskName'),
    'task-url': attribute(is.text, 'taskUrl'),
    'updated-at': time('updatedAt'),
    url: attribute(is.text, 'url', { update: line }),
    'workspace-task-enforcement-level': attribute(Type.Enum([...ENFORCEMENT_LEVELS]), 'enforcementLevel'),
    'workspace-task-id': attribute(is.textOrNull, 'workspaceTaskId'),
  },
  // The documentation spells it with a hyphen, official clients without.
  relationships: {
    outcomes: link(({ id }) => `/api/v2/task-results/${id}/outcomes`),
    'task-stage': toOne('task-stages', 'stageId'),
    task_stage: toOne('task-stages', 'stageId'),
  },
  links: ({ id }) => ({ self: `/api/v2/task-results/${id}` }),
});

/** One detailed finding of a result. */
export const TaskOutcomeResource = resourceOf<TaskOutcome>()('task-result-outcomes', {
  attributes: {
    'outcome-id': attribute(is.text, 'outcomeId', { create: Type.Optional(nullable(text(255))) }),
    description: attribute(is.text, 'description', { create: line }),
    body: attribute(is.text, 'body', { create: Type.Optional(nullable(text(65_536))) }),
    url: attribute(is.text, 'url', { create: line }),
    tags: attribute(
      is.mapOf(Type.Array(Type.Object({ label: is.text, level: Type.Optional(nullable(is.text)) }))),
      'tags',
      { create: Type.Optional(nullable(Tags)) },
    ),
  },
});
