import { type Static, Type } from 'typebox';
import { nullable, nullableEnum, resourceBody, text, typed } from '../../jsonapi/schema.ts';
import { ENFORCEMENT_LEVELS, STAGES } from './run-task.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const level = Type.Optional(nullableEnum(ENFORCEMENT_LEVELS));
const stages = Type.Optional(nullable(Type.Array(Type.Enum([...STAGES]), { maxItems: 20 })));

const Global = nullable(Type.Object({ enabled: flag, stages, 'enforcement-level': level }));
/** What a client may say of a task. Which of it belongs together, the rules know. */
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

/** Facts §6.14. */
export const CreateTask = resourceBody('tasks', TaskAttributes, agentPool);
/** The same: what is absent stays as it is. */
export const UpdateTask = resourceBody('tasks', Type.Optional(TaskAttributes), agentPool);
/** `data` of a body. */
export type TaskInput = Static<typeof UpdateTask>['data'];

const WorkspaceTaskAttributes = Type.Object({
  'enforcement-level': level,
  stage: Type.Optional(nullableEnum(STAGES)),
  stages,
});
/** Facts §6.14. */
export const CreateWorkspaceTask = Type.Object({
  data: Type.Object({
    type: typed('workspace-tasks'),
    attributes: Type.Optional(WorkspaceTaskAttributes),
    relationships: Type.Object({ task: Type.Object({ data: one }) }),
  }),
});
/** What is absent stays as it is. */
export const UpdateWorkspaceTask = resourceBody('workspace-tasks', Type.Optional(WorkspaceTaskAttributes), {});
/** Attributes as the schemas let them through. */
export type WorkspaceTaskInput = Static<typeof WorkspaceTaskAttributes>;
