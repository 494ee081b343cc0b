import { type Resource, textIn } from '../../connection/pages.ts';
import { attributeName, type Kind, ofOrganization, ofOwner, oneOf } from './kind.ts';

const ATTRIBUTES = ['key', 'value', 'category', 'hcl', 'sensitive', 'description', 'apply-only'];

/** A variable is named by its category and key: a workspace may have the same key in both categories. */
const variableName = (resource: Resource): string => `${textIn(resource, 'category')}/${textIn(resource, 'key')}`;

/** Kinds whose items are variables. */
export const VARIABLE_KINDS: ReadonlySet<string> = new Set(['variables', 'set-variables']);

const variables: Kind = {
  name: 'variables',
  words: 'variable',
  type: 'vars',
  owner: 'workspaces',
  path: ofOwner('workspaces', 'vars'),
  onePath: (id, { ownerId }) => `/api/v2/workspaces/${ownerId}/vars/${id}`,
  nameOf: variableName,
  attributes: ATTRIBUTES,
};

/** The parent of a set is its organization or a project. */
function parentProject({ relationships }: Resource): readonly string[] {
  const { type, id } = (relationships.parent?.data ?? {}) as { type?: unknown; id?: unknown };
  return type === 'projects' && typeof id === 'string' ? [id] : [];
}

const variableSets: Kind = {
  name: 'varsets',
  words: 'variable set',
  type: 'varsets',
  path: ofOrganization('varsets'),
  onePath: oneOf('varsets'),
  nameOf: attributeName(),
  attributes: ['name', 'description', 'global', 'priority'],
  links: {
    workspaces: { kind: 'workspaces', type: 'workspaces', isMany: true },
    projects: { kind: 'projects', type: 'projects', isMany: true },
    // Without it the set would be one of the organization.
    parent: { kind: 'projects', type: 'projects', isRequired: true, idsOf: parentProject },
  },
};

const setVariables: Kind = {
  name: 'set-variables',
  words: 'variable of set',
  type: 'vars',
  owner: 'varsets',
  path: ofOwner('varsets', 'relationships/vars'),
  onePath: (id, { ownerId }) => `/api/v2/varsets/${ownerId}/relationships/vars/${id}`,
  nameOf: variableName,
  attributes: ATTRIBUTES,
};

export const VARIABLES: readonly Kind[] = [variables, variableSets, setVariables];
