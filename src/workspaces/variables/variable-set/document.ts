import { isoTime } from '../../../lib/clock.ts';
import { type Relationship, type Resource, toOne } from '../../jsonapi/document.ts';
import type { VariableSetView } from './variable-set.ts';

/** Returns the document of a variable set. Create, read, update and list return the same document. */
export function variableSetResource(set: VariableSetView): Resource {
  const { workspaceIds, projectIds, variableIds } = set;
  return {
    id: set.id,
    type: 'varsets',
    attributes: {
      name: set.name,
      description: set.description,
      global: set.global,
      priority: set.priority,
      'updated-at': isoTime(set.updatedAt),
      'var-count': variableIds.length,
      'workspace-count': workspaceIds.length,
      'project-count': projectIds.length,
      permissions: { 'can-update': set.canUpdate },
    },
    relationships: {
      organization: toOne('organizations', set.organizationName),
      parent: set.projectId === null ? toOne('organizations', set.organizationName) : toOne('projects', set.projectId),
      vars: toMany('vars', variableIds),
      workspaces: toMany('workspaces', workspaceIds),
      projects: toMany('projects', projectIds),
      stacks: toMany('stacks', []),
    },
    links: { self: `/api/v2/varsets/${set.id}` },
  };
}

function toMany(type: string, ids: readonly string[]): Relationship {
  return { data: ids.map((id) => ({ type, id })) };
}
