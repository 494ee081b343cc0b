import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { RunTask, WorkspaceTask } from './run-task.ts';

/**
 * Returns the document of a task, without its key.
 * @param attached assignments to workspaces, if requested
 */
export function taskResource(task: RunTask, attached?: readonly WorkspaceTask[]): Resource {
  const { global } = task;
  const own = attached?.filter(({ taskId }) => taskId === task.id);
  return {
    id: task.id,
    type: 'tasks',
    attributes: {
      category: 'task',
      description: task.description,
      enabled: task.enabled,
      'global-configuration': {
        enabled: global.enabled,
        stages: global.stages,
        'enforcement-level': global.enforcementLevel,
      },
      'hmac-key': null,
      name: task.name,
      url: task.url,
    },
    relationships: {
      'agent-pool': { data: null },
      organization: toOne('organizations', task.organizationName),
      ...(own && { 'workspace-tasks': { data: own.map(({ id }) => ({ type: 'workspace-tasks', id })) } }),
    },
    links: { self: `/api/v2/tasks/${task.id}` },
  };
}

/** Returns the document of a workspace's task. */
export function workspaceTaskResource(task: WorkspaceTask): Resource {
  const { id, workspaceId, stages } = task;
  return {
    id,
    type: 'workspace-tasks',
    // Older clients know only one stage.
    attributes: { 'enforcement-level': task.enforcementLevel, stage: stages[0], stages },
    relationships: { task: toOne('tasks', task.taskId), workspace: toOne('workspaces', workspaceId) },
    links: { self: `/api/v2/workspaces/${workspaceId}/tasks/${id}` },
  };
}
