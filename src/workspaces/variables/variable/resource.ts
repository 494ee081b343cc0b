import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, relationship, required, resourceOf, time } from '../../resource/index.ts';
import { CATEGORIES, type Variable } from './variable.ts';

/** Maximum length in characters, as in HCP Terraform. The rules count the bytes of the value. */
const KEY = 128;
const VALUE = 262_144;
const DESCRIPTION = 512;

/** Owner of a variable: a workspace and its organization. */
export interface NamedWorkspace {
  readonly organizationName: string;
  readonly name: string;
}

const flag = optional(nullable(Type.Boolean()));
const category = Type.Enum([...CATEGORIES]);

/**
 * A variable of a workspace or of a set. Official clients expect `configurable` to be a workspace; a set is named by
 * `varset` instead.
 */
export const VariableResource = resourceOf<Variable, [workspace?: NamedWorkspace]>()('vars', {
  attributes: {
    key: attribute(is.text, 'key', required(text(KEY))),
    category: attribute(category, 'category', required(category)),
    // Value; null if the variable is sensitive.
    value: attribute(is.textOrNull, 'value', optional(nullable(text(VALUE)))),
    description: attribute(is.textOrNull, 'description', optional(nullable(text(DESCRIPTION)))),
    hcl: attribute(is.flag, 'hcl', flag),
    sensitive: attribute(is.flag, 'sensitive', flag),
    // Whether speculative plans do not get the variable.
    'apply-only': attribute(is.flag, 'applyOnly', flag),
    'created-at': time('createdAt'),
    'version-id': attribute(is.text, 'versionId'),
  },
  relationships: {
    configurable: relationship(Type.Optional(is.toOne('workspaces')), ({ owner }, workspace) =>
      owner.type === 'workspaces' ? { data: owner, links: { related: relatedTo(owner, workspace) } } : undefined,
    ),
    varset: relationship(Type.Optional(is.toOne('varsets')), ({ owner }) =>
      owner.type === 'varsets' ? { data: owner, links: { related: relatedTo(owner) } } : undefined,
    ),
  },
  links: ({ owner: { type, id: ownerId }, id }) => ({
    self: `/api/v2/${type}/${ownerId}/${type === 'workspaces' ? '' : 'relationships/'}vars/${id}`,
  }),
});

function relatedTo({ type, id }: Variable['owner'], workspace?: NamedWorkspace): string {
  if (workspace === undefined) return `/api/v2/${type}/${id}`;
  return `/api/v2/organizations/${workspace.organizationName}/workspaces/${workspace.name}`;
}
