import { type Resource, relatedIds, textIn } from '../../connection/pages.ts';
import type { Json } from '../../model/item.ts';
import { attributeName, type Kind, type Names, ofOrganization, ofOwner, oneOf } from './kind.ts';

const teams: Kind = {
  name: 'teams',
  words: 'team',
  type: 'teams',
  path: ofOrganization('teams'),
  onePath: oneOf('teams'),
  nameOf: attributeName(),
  attributes: ['name', 'visibility', 'sso-team-id', 'allow-member-token-management', 'organization-access'],
  // Every organization has its owners, whose access cannot be changed.
  clean: (attributes) => (attributes.name === 'owners' ? { name: 'owners' } : attributes),
};

/** Access is named by its team. */
const teamName = (resource: Resource, names: Names): string | undefined =>
  names.nameOf('teams', relatedIds(resource, 'team')[0] ?? '');

const team = { team: { kind: 'teams', type: 'teams', isRequired: true } } as const;

const DETAILS = ['runs', 'variables', 'state-versions', 'sentinel-mocks', 'run-tasks', 'policy-overrides'];

/** Details follow from the access, unless it is `custom`. */
const withoutDetails = (attributes: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  attributes.access === 'custom' ? attributes : { access: attributes.access };

const teamProjects: Kind = {
  name: 'team-projects',
  words: 'team access to project',
  type: 'team-projects',
  owner: 'projects',
  path: ({ ownerId }) => `/api/v2/team-projects?filter[project][id]=${ownerId}`,
  onePath: oneOf('team-projects'),
  nameOf: teamName,
  attributes: ['access', 'project-access', 'workspace-access'],
  links: team,
  ownerRelationship: { name: 'project', type: 'projects' },
  clean: withoutDetails,
};

const teamWorkspaces: Kind = {
  name: 'team-workspaces',
  words: 'team access to workspace',
  type: 'team-workspaces',
  owner: 'workspaces',
  path: ({ ownerId }) => `/api/v2/team-workspaces?filter[workspace][id]=${ownerId}`,
  onePath: oneOf('team-workspaces'),
  nameOf: teamName,
  attributes: ['access', ...DETAILS, 'workspace-locking'],
  links: team,
  ownerRelationship: { name: 'workspace', type: 'workspaces' },
  clean: withoutDetails,
};

const machineName = (resource: Resource): string =>
  ['mount', 'role', 'common-name'].map((name) => textIn(resource, name)).join('/');

const machineIdentities = (owner: 'teams' | 'agent-pools', name: string): Kind => ({
  name,
  words: 'machine identity',
  type: 'machine-identities',
  owner,
  path: ofOwner(owner, 'machine-identities'),
  onePath: oneOf('machine-identities'),
  nameOf: machineName,
  attributes: ['mount', 'role', 'common-name'],
  cannotUpdate: true,
});

const pipelineIdentities: Kind = {
  name: 'pipeline-identities',
  words: 'pipeline identity',
  type: 'pipeline-identities',
  owner: 'teams',
  path: ofOwner('teams', 'pipeline-identities'),
  onePath: oneOf('pipeline-identities'),
  nameOf: (resource) => `${textIn(resource, 'issuer')} ${JSON.stringify(resource.attributes.claims ?? {})}`,
  attributes: ['description', 'issuer', 'jwks-url', 'audiences', 'claims', 'token-ttl'],
};

export const TEAMS: readonly Kind[] = [teams];
export const ACCESS: readonly Kind[] = [
  teamProjects,
  teamWorkspaces,
  machineIdentities('teams', 'machine-identities'),
  machineIdentities('agent-pools', 'agent-machine-identities'),
  pipelineIdentities,
];
