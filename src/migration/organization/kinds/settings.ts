import { relatedIds, textIn } from '../../connection/pages.ts';
import { attributeName, type Kind, ofOrganization, oneOf } from './kind.ts';

const FLAGS = [
  ...['aggregated-commit-status-enabled', 'allow-force-delete-workspaces', 'assessments-enforced'],
  ...['max-ttl-enabled', 'send-passing-statuses-for-untriggered-speculative-plans'],
  ...['speculative-plan-management-enabled', 'plan-merge-result', 'pull-request-comments'],
];
const TIMES = ['session-timeout', 'session-remember'];

/** Settings of the organization itself. Its item has no name, because the target may have another one. */
const organization: Kind = {
  name: 'organizations',
  words: 'organization',
  type: 'organizations',
  path: ({ organization: name }) => `/api/v2/organizations/${name}`,
  onePath: (_id, { organization: name }) => `/api/v2/organizations/${name}`,
  nameOf: () => 'settings',
  isSingle: true,
  attributes: ['email', 'default-execution-mode', 'default-engine', 'fork-plans', ...FLAGS, ...TIMES],
  links: {
    'default-agent-pool': { kind: 'agent-pools', type: 'agent-pools', attribute: 'default-agent-pool-id' },
  },
  clean: (attributes) =>
    'default-engine' in attributes ? attributes : { ...attributes, 'default-engine': 'terraform' },
};

const agentPools: Kind = {
  name: 'agent-pools',
  words: 'agent pool',
  type: 'agent-pools',
  path: ofOrganization('agent-pools'),
  onePath: oneOf('agent-pools'),
  nameOf: attributeName(),
  attributes: ['name', 'organization-scoped'],
};

const sshKeys: Kind = {
  name: 'ssh-keys',
  words: 'SSH key',
  type: 'ssh-keys',
  path: ofOrganization('ssh-keys'),
  onePath: oneOf('ssh-keys'),
  nameOf: attributeName(),
  attributes: ['name'],
  cannotCreate: 'no server returns private keys; create an SSH key with this name, then run the import again',
};

/** A connection is named by its provider, because names of connections are optional and differ between servers. */
const vcsConnections: Kind = {
  name: 'vcs-connections',
  words: 'VCS connection',
  type: 'oauth-clients',
  path: ofOrganization('oauth-clients'),
  onePath: oneOf('oauth-clients'),
  nameOf: (resource) => `${textIn(resource, 'service-provider')} ${textIn(resource, 'http-url')}`,
  idOf: (resource) => relatedIds(resource, 'oauth-tokens')[0] ?? resource.id,
  attributes: ['service-provider', 'http-url', 'api-url'],
  cannotCreate:
    'no server returns its token; connect the provider with `lockkeeper vcs connect`, then run the import again',
  cannotUpdate: true,
};

const reservedTagKeys: Kind = {
  name: 'reserved-tag-keys',
  words: 'reserved tag key',
  type: 'reserved-tag-keys',
  path: ofOrganization('reserved-tag-keys'),
  onePath: oneOf('reserved-tag-keys'),
  nameOf: attributeName('key'),
  attributes: ['key', 'disable-overrides'],
};

const members: Kind = {
  name: 'members',
  words: 'member',
  type: 'organization-memberships',
  path: ofOrganization('organization-memberships'),
  onePath: oneOf('organization-memberships'),
  nameOf: (resource) => attributeName('email')(resource)?.toLowerCase(),
  attributes: ['email'],
  links: { teams: { kind: 'teams', type: 'teams', isMany: true, isSeparate: true } },
  body: ({ name }, { teams = [] }) => ({
    data: {
      type: 'organization-memberships',
      attributes: { email: name },
      relationships: { teams: { data: teams.map((id) => ({ type: 'teams', id })) } },
    },
  }),
  more: {
    attributes: [],
    write: async (connection, id, { links: { teams = [] } }) => {
      for (const team of teams) {
        const path = `/api/v2/teams/${team}/relationships/organization-memberships`;
        await connection.send('POST', path, { data: [{ type: 'organization-memberships', id }] });
      }
    },
  },
};

const savedViews: Kind = {
  name: 'explorer-views',
  words: 'explorer view',
  type: 'explorer-saved-queries',
  path: ofOrganization('explorer/views'),
  onePath: (id, { organization: name }) => `/api/v2/organizations/${name}/explorer/views/${id}`,
  nameOf: attributeName(),
  attributes: ['name', 'query', 'query-type'],
};

const runTasks: Kind = {
  name: 'run-tasks',
  words: 'run task',
  type: 'tasks',
  path: ofOrganization('tasks'),
  onePath: oneOf('tasks'),
  nameOf: attributeName(),
  attributes: ['name', 'description', 'url', 'category', 'enabled', 'global-configuration'],
  fallback: { attributes: { enabled: false }, nextStep: 'it is disabled now; enable it when its service answers' },
};

export const SETTINGS: readonly Kind[] = [agentPools, sshKeys, vcsConnections, organization, reservedTagKeys];
export const AFTER_TEAMS: readonly Kind[] = [members, runTasks, savedViews];
