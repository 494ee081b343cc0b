import { Type } from 'typebox';
import { toOne as identifierOf } from '../../jsonapi/document.ts';
import { attribute, is, relationship, resourceOf, time, toOne } from '../../resource/index.ts';
import type { RecoverableItem } from './recoverable-store.ts';

/**
 * A deleted workspace, with the member names of HCP Terraform: `recoverable-name`, `recoverable`, and
 * `unmanaged-resources`: the resources that no workspace manages since the deletion.
 */
export const RecoverableItemResource = resourceOf<RecoverableItem>()('recoverable-items', {
  attributes: {
    name: attribute(is.text, 'name'),
    'recoverable-name': attribute(is.text, 'name'),
    'resource-type': attribute(Type.Enum(['workspaces']), () => 'workspaces' as const),
    'unmanaged-resources': attribute(is.integer, 'resourceCount'),
    'deleted-at': time('deletedAt'),
    'expires-at': time('expiresAt'),
  },
  relationships: {
    organization: toOne('organizations', 'organizationName'),
    project: toOne('projects', 'projectId'),
    resource: toOne('workspaces', 'workspaceId'),
    recoverable: toOne('workspaces', 'workspaceId'),
    'deleted-by': relationship(is.toOne(), ({ deletedByType, deletedById }) =>
      identifierOf(deletedByType, deletedById),
    ),
  },
  links: ({ id }) => ({ self: `/api/v2/recoverable-items/${id}` }),
});
