import { type Static, Type } from 'typebox';
import { nullable, text, typed } from '../../jsonapi/schema.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { RunTaskResource, WorkspaceTaskResource } from './resource.ts';

const one = Type.Object({ id: text(100) });
const agentPool = { 'agent-pool': Type.Optional(Type.Object({ data: nullable(one) })) };

/** Body of a creation. */
export const CreateTask = createBody(RunTaskResource, agentPool);
/** Body of an update. Absent fields stay unchanged. */
export const UpdateTask = updateBody(RunTaskResource, agentPool);
/** `data` of a request body. */
export type TaskInput = Static<typeof UpdateTask>['data'];

/** Body of a creation. */
export const CreateWorkspaceTask = Type.Object({
  data: Type.Object({
    type: typed('workspace-tasks'),
    attributes: Type.Optional(WorkspaceTaskResource.create),
    relationships: Type.Object({ task: Type.Object({ data: one }) }),
  }),
});
/** Body of an update. Absent fields stay unchanged. */
export const UpdateWorkspaceTask = updateBody(WorkspaceTaskResource, {});
/** Attributes after schema validation. */
export type WorkspaceTaskInput = Static<typeof WorkspaceTaskResource.update>;
