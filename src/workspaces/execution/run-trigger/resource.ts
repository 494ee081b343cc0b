import type { Relationship } from '../../jsonapi/document.ts';
import { attribute, is, relationship, resourceOf, time } from '../../resource/index.ts';
import type { RunTrigger } from './run-triggers.ts';

/** A run trigger: applied runs of the source start runs of the workspace. */
export const RunTriggerResource = resourceOf<RunTrigger>()('run-triggers', {
  attributes: {
    'created-at': time('createdAt'),
    'sourceable-name': attribute(is.text, 'sourceName'),
    'workspace-name': attribute(is.text, 'workspaceName'),
  },
  relationships: {
    sourceable: relationship(is.toOne('workspaces'), ({ sourceId }) => workspaceAt(sourceId)),
    workspace: relationship(is.toOne('workspaces'), ({ workspaceId }) => workspaceAt(workspaceId)),
  },
  links: ({ id }) => ({ self: `/api/v2/run-triggers/${id}` }),
});

function workspaceAt(id: string): Relationship {
  return { data: { type: 'workspaces', id }, links: { related: `/api/v2/workspaces/${id}` } };
}
