import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource, toOne } from '../../jsonapi/document.ts';
import type { ProjectBinding } from './binding-store.ts';
import type { ProjectView } from './project.ts';

/** Converts a project as the caller sees it. `bindings` are the tags to refer to if the client includes them. */
export function projectResource(project: ProjectView, bindings?: readonly ProjectBinding[]): Resource {
  // The agent pool is inherited together with the mode.
  const own = project.ownExecutionMode !== null;
  const self = `/api/v2/projects/${project.id}`;
  return {
    id: project.id,
    type: 'projects',
    attributes: {
      name: project.name,
      description: project.description,
      'created-at': isoTime(project.createdAt),
      'workspace-count': project.workspaceCount,
      'team-count': project.teamCount,
      'is-unified': false,
      'auto-destroy-activity-duration': project.autoDestroyActivityDuration,
      'default-execution-mode': project.defaultExecutionMode,
      'setting-overwrites': { 'default-execution-mode': own, 'default-agent-pool': own },
      permissions: project.permissions,
    },
    relationships: {
      organization: toOne('organizations', project.organizationName),
      'default-agent-pool': toOne('agent-pools', project.defaultAgentPoolId),
      'tag-bindings': linked(`${self}/tag-bindings`),
      'effective-tag-bindings': {
        ...linked(`${self}/effective-tag-bindings`),
        ...(bindings && { data: bindings.map(({ id }) => ({ type: 'effective-tag-bindings', id })) }),
      },
    },
    links: { self },
  };
}

/** Converts a key-value tag of the project. */
export function projectBindingResource({ id, key, value, createdAt }: ProjectBinding): Resource {
  return { id, type: 'tag-bindings', attributes: { key, value, 'created-at': isoTime(createdAt) } };
}

/** Converts a tag for the list of effective tags. A project inherits none. */
export function effectiveProjectBindingResource({ id, key, value }: ProjectBinding): Resource {
  return { id, type: 'effective-tag-bindings', attributes: { key, value } };
}
