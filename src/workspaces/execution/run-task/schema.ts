import { type Static, Type } from 'typebox';
import { nullable, nullableEnum, resourceBody, text, typed } from '../../jsonapi/schema.ts';
import { ENFORCEMENT_LEVELS, STAGES } from './run-task.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const level = Type.Optional(nullableEnum(ENFORCEMENT_LEVELS));
const stages = Type.Optional(nullable(Type.Array(Type.Enum([...STAGES]), { maxItems: 20 })));

const Global = nullable(Type.Object({ enabled: flag, stages, 'enforcement-level': level }));
/** Attributes of a task from a client. `rules.ts` validates their combination. */
const TaskAttributes = Type.Object({
  category: Type.Optional(nullable(text(100))),
  description: Type.Optional(nullable(text(300))),
  enabled: flag,
  'global-configuration': Type.Optional(Global),
  'hmac-key': Type.Optional(nullable(text(4096))),
  name: Type.Optional(nullable(text(90))),
  url: Type.Optional(nullable(text(4096))),
});
const one = Type.Object({ id: text(100) });
const agentPool = { 'agent-pool': Type.Optional(Type.Object({ data: nullable(one) })) };

/** Body of a creation. */
export const CreateTask = resourceBody('tasks', TaskAttributes, agentPool);
/** Body of an update. Absent fields stay unchanged. */
export const UpdateTask = resourceBody('tasks', Type.Optional(TaskAttributes), agentPool);
/** `data` of a request body. */
export type TaskInput = Static<typeof UpdateTask>['data'];

const WorkspaceTaskAttributes = Type.Object({
  'enforcement-level': level,
  stage: Type.Optional(nullableEnum(STAGES)),
  stages,
});
/** Body of a creation. */
export const CreateWorkspaceTask = Type.Object({
  data: Type.Object({
    type: typed('workspace-tasks'),
    attributes: Type.Optional(WorkspaceTaskAttributes),
    relationships: Type.Object({ task: Type.Object({ data: one }) }),
  }),
});
/** Body of an update. Absent fields stay unchanged. */
export const UpdateWorkspaceTask = resourceBody('workspace-tasks', Type.Optional(WorkspaceTaskAttributes), {});
/** Attributes after schema validation. */
export type WorkspaceTaskInput = Static<typeof WorkspaceTaskAttributes>;
