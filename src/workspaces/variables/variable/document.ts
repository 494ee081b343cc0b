import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { Variable } from './variable.ts';

/** Owner of a variable: a workspace and its organization. */
export interface NamedWorkspace {
  readonly organizationName: string;
  readonly name: string;
}

/**
 * Returns the document of a variable of a workspace or of a set. Official clients expect `configurable` to be a
 * workspace; a set is named by `varset` instead.
 */
export function variableResource(variable: Variable, workspace?: NamedWorkspace): Resource {
  const { id, owner, key, value, category, description, hcl, sensitive, applyOnly } = variable;
  const self = owner.type === 'workspaces' ? `workspaces/${owner.id}/vars` : `varsets/${owner.id}/relationships/vars`;
  return {
    id,
    type: 'vars',
    attributes: {
      key,
      value,
      sensitive,
      category,
      hcl,
      'apply-only': applyOnly,
      description,
      'created-at': isoTime(variable.createdAt),
      'version-id': variable.versionId,
    },
    relationships: {
      [owner.type === 'workspaces' ? 'configurable' : 'varset']: {
        data: { type: owner.type, id: owner.id },
        links: { related: relatedTo(variable, workspace) },
      },
    },
    links: { self: `/api/v2/${self}/${id}` },
  };
}

function relatedTo({ owner }: Variable, workspace: NamedWorkspace | undefined): string {
  if (workspace === undefined) return `/api/v2/${owner.type}/${owner.id}`;
  return `/api/v2/organizations/${workspace.organizationName}/workspaces/${workspace.name}`;
}
