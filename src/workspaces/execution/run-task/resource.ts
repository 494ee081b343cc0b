import { Type } from 'typebox';
import { nullable, nullableEnum, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, relationship, resourceOf, toOne } from '../../resource/index.ts';
import { ENFORCEMENT_LEVELS, type RunTask, STAGES, type Stage, type WorkspaceTask } from './run-task.ts';

const level = Type.Enum([...ENFORCEMENT_LEVELS]);
const stage = Type.Enum([...STAGES]);

const flag = optional(nullable(Type.Boolean()));
const writtenLevel = optional(nullableEnum(ENFORCEMENT_LEVELS));
const writtenStages = optional(nullable(Type.Array(stage, { maxItems: 20 })));

/** Settings of a task that runs in all workspaces of its organization. */
const shownGlobal = Type.Object({ enabled: is.flag, stages: Type.Array(stage), 'enforcement-level': level });
const writtenGlobal = Type.Object({
  enabled: flag.create,
  stages: writtenStages.create,
  'enforcement-level': writtenLevel.create,
});

/** A run task. `rules.ts` validates the combination of the attributes. */
export const RunTaskResource = resourceOf<RunTask, [attached?: readonly WorkspaceTask[]]>()('tasks', {
  attributes: {
    category: attribute(Type.Literal('task'), () => 'task' as const, optional(nullable(text(100)))),
    description: attribute(is.text, 'description', optional(nullable(text(300)))),
    enabled: attribute(is.flag, 'enabled', flag),
    'global-configuration': attribute(
      shownGlobal,
      ({ global }) => ({
        enabled: global.enabled,
        stages: global.stages,
        'enforcement-level': global.enforcementLevel,
      }),
      optional(nullable(writtenGlobal)),
    ),
    // The key is write-only.
    'hmac-key': attribute(Type.Null(), () => null, optional(nullable(text(4096)))),
    name: attribute(is.text, 'name', optional(nullable(text(90)))),
    url: attribute(is.text, 'url', optional(nullable(text(4096)))),
  },
  relationships: {
    'agent-pool': toOne('agent-pools', () => null),
    organization: toOne('organizations', 'organizationName'),
    // Assignments to workspaces, which are present only on request.
    'workspace-tasks': relationship(Type.Optional(is.toMany('workspace-tasks')), (task, attached) => {
      const own = attached?.filter(({ taskId }) => taskId === task.id);
      return own && { data: own.map(({ id }) => ({ type: 'workspace-tasks', id })) };
    }),
  },
  links: ({ id }) => ({ self: `/api/v2/tasks/${id}` }),
});

/** The assignment of a run task to a workspace. */
export const WorkspaceTaskResource = resourceOf<WorkspaceTask>()('workspace-tasks', {
  attributes: {
    'enforcement-level': attribute(level, 'enforcementLevel', writtenLevel),
    // Older clients know only one stage.
    stage: attribute(stage, ({ stages }) => stages[0] as Stage, optional(nullableEnum(STAGES))),
    stages: attribute(Type.Array(stage), 'stages', writtenStages),
  },
  relationships: { task: toOne('tasks', 'taskId'), workspace: toOne('workspaces', 'workspaceId') },
  links: ({ id, workspaceId }) => ({ self: `/api/v2/workspaces/${workspaceId}/tasks/${id}` }),
});
