import { isoTime } from '../../lib/clock.ts';
import { type Resource, toOne } from '../jsonapi/document.ts';
import type { ProjectView } from './projects.ts';

/** A project as the caller sees it. It has no settings of its own yet, so that they are its organization's. */
export function projectResource(project: ProjectView): Resource {
  return {
    id: project.id,
    type: 'projects',
    attributes: {
      name: project.name,
      description: project.description,
      'created-at': isoTime(project.createdAt),
      'workspace-count': project.workspaceCount,
      'team-count': 0,
      'auto-destroy-activity-duration': null,
      'default-execution-mode': project.defaultExecutionMode,
      'setting-overwrites': { 'default-execution-mode': false, 'default-agent-pool': false },
      permissions: project.permissions,
    },
    relationships: {
      organization: toOne('organizations', project.organizationName),
      'default-agent-pool': toOne('agent-pools', null),
    },
    links: { self: `/api/v2/projects/${project.id}` },
  };
}
