import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, toMany, toOne, toOneOf } from '../../resource/index.ts';
import type { VariableSetView } from './variable-set.ts';

const flag = optional(nullable(Type.Boolean()));

/** A variable set. Create, read, update and list return the same document. */
export const VariableSetResource = resourceOf<VariableSetView>()('varsets', {
  attributes: {
    name: attribute(is.text, 'name', required(text(90))),
    description: attribute(is.textOrNull, 'description', optional(nullable(text(512)))),
    global: attribute(is.flag, 'global', flag),
    priority: attribute(is.flag, 'priority', flag),
    'updated-at': time('updatedAt'),
    'var-count': attribute(is.integer, ({ variableIds }) => variableIds.length),
    'workspace-count': attribute(is.integer, ({ workspaceIds }) => workspaceIds.length),
    'project-count': attribute(is.integer, ({ projectIds }) => projectIds.length),
    permissions: attribute(is.flags(['can-update']), ({ canUpdate }) => ({ 'can-update': canUpdate })),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    parent: toOneOf(['organizations', 'projects'], ({ projectId, organizationName }) =>
      projectId === null ? { type: 'organizations', id: organizationName } : { type: 'projects', id: projectId },
    ),
    vars: toMany('vars', 'variableIds'),
    workspaces: toMany('workspaces', 'workspaceIds'),
    projects: toMany('projects', 'projectIds'),
    stacks: toMany('stacks', () => []),
  },
  links: ({ id }) => ({ self: `/api/v2/varsets/${id}` }),
});
