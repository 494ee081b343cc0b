import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { ENFORCEMENT_LEVELS, STAGES } from '../run-task/run-task.ts';
import { RESULT_STATUSES, STAGE_STATUSES } from '../task-stage/task-stage.ts';

const level = Type.Enum([...ENFORCEMENT_LEVELS]);
const stage = Type.Enum([...STAGES]);

/** Resources of run tasks and their results, by type. */
export const RUN_TASK_RESOURCES = {
  tasks: is.resource(
    'tasks',
    {
      category: Type.Literal('task'),
      description: is.text,
      enabled: is.flag,
      'global-configuration': Type.Object({
        enabled: is.flag,
        stages: Type.Array(stage),
        'enforcement-level': level,
      }),
      // The key is write-only.
      'hmac-key': Type.Null(),
      name: is.text,
      url: is.text,
    },
    {
      'agent-pool': is.toOne('agent-pools'),
      organization: is.toOne('organizations'),
      // Assignments to workspaces, which are present only on request.
      'workspace-tasks': Type.Optional(is.toMany('workspace-tasks')),
    },
  ),
  'workspace-tasks': is.resource(
    'workspace-tasks',
    { 'enforcement-level': level, stage, stages: Type.Array(stage) },
    { task: is.toOne('tasks'), workspace: is.toOne('workspaces') },
  ),
  'task-stages': is.resource(
    'task-stages',
    {
      actions: is.flags(['is-overridable']),
      'created-at': is.time,
      permissions: is.flags(['can-override', 'can-override-policy', 'can-override-tasks']),
      stage,
      status: Type.Enum([...STAGE_STATUSES]),
      'status-timestamps': is.times,
      'updated-at': is.time,
    },
    {
      'policy-evaluations': is.toMany('policy-evaluations'),
      run: is.toOne('runs'),
      'task-results': is.toMany('task-results'),
    },
  ),
  'task-results': is.resource(
    'task-results',
    {
      'agent-pool-id': Type.Null(),
      'created-at': is.time,
      message: is.text,
      status: Type.Enum([...RESULT_STATUSES]),
      'status-timestamps': is.times,
      'task-id': is.text,
      'task-name': is.text,
      'task-url': is.text,
      'updated-at': is.time,
      url: is.text,
      'workspace-task-enforcement-level': level,
      'workspace-task-id': is.textOrNull,
    },
    { outcomes: is.linkOnly, 'task-stage': is.toOne('task-stages'), task_stage: is.toOne('task-stages') },
  ),
  'task-result-outcomes': is.resource('task-result-outcomes', {
    'outcome-id': is.text,
    description: is.text,
    body: is.text,
    url: is.text,
    tags: is.mapOf(Type.Array(Type.Object({ label: is.text, level: Type.Optional(nullable(is.text)) }))),
  }),
};
