import { Type } from 'typebox';
import { AGENT_STATUSES } from '../../execution/agent-pool/agent.ts';
import { nullable } from '../../jsonapi/schema.ts';
import {
  CUSTOM_ACCESS,
  RUNS,
  SENTINEL_MOCKS,
  STATE_VERSIONS,
  TEAM_PROJECT_LEVELS,
  TEAM_WORKSPACE_LEVELS,
  VARIABLES,
} from '../../tenancy/permissions/access.ts';
import { CUSTOM_ACCESS_IN_PROJECT } from '../../tenancy/permissions/project.ts';
import { CATEGORIES } from '../../variables/variable/variable.ts';
import { SERVICE_PROVIDERS } from '../../vcs/connection/connection.ts';
import * as is from '../resource.ts';

const steps = {
  runs: Type.Enum([...RUNS]),
  variables: Type.Enum([...VARIABLES]),
  'state-versions': Type.Enum([...STATE_VERSIONS]),
  'sentinel-mocks': Type.Enum([...SENTINEL_MOCKS]),
};
const switches = (access: object) => Object.keys(access).filter((name) => !(name in steps));
const onWire = (name: string) => (name === 'locking' ? 'workspace-locking' : name);

/** Who has access, variables, and what workspaces are carried out with, by the type of the resource. */
export const SETTING_RESOURCES = {
  'team-workspaces': is.resource(
    'team-workspaces',
    {
      access: Type.Enum([...TEAM_WORKSPACE_LEVELS]),
      ...steps,
      ...is.flags(switches(CUSTOM_ACCESS).map(onWire)).properties,
    },
    { team: is.toOne('teams'), workspace: is.toOne('workspaces') },
  ),
  'team-projects': is.resource(
    'team-projects',
    {
      access: Type.Enum([...TEAM_PROJECT_LEVELS]),
      'project-access': Type.Object({
        settings: Type.Enum(['none', 'read', 'update', 'delete']),
        teams: Type.Enum(['none', 'read', 'manage']),
        'variable-sets': Type.Enum(['none', 'read', 'write']),
      }),
      'workspace-access': Type.Object({ ...steps, ...is.flags(switches(CUSTOM_ACCESS_IN_PROJECT)).properties }),
    },
    { team: is.toOne('teams'), project: is.toOne('projects') },
  ),
  vars: is.resource(
    'vars',
    {
      key: is.text,
      // Null of one that is sensitive.
      value: is.textOrNull,
      sensitive: is.flag,
      category: Type.Enum([...CATEGORIES]),
      hcl: is.flag,
      description: is.textOrNull,
      'created-at': is.time,
      'version-id': is.text,
    },
    { configurable: Type.Optional(is.toOne('workspaces')), varset: Type.Optional(is.toOne('varsets')) },
  ),
  varsets: is.resource(
    'varsets',
    {
      name: is.text,
      description: is.textOrNull,
      global: is.flag,
      priority: is.flag,
      'updated-at': is.time,
      'var-count': is.integer,
      'workspace-count': is.integer,
      'project-count': is.integer,
      permissions: is.flags(['can-update']),
    },
    {
      organization: is.toOne('organizations'),
      parent: is.toOne('organizations', 'projects'),
      vars: is.toMany('vars'),
      workspaces: is.toMany('workspaces'),
      projects: is.toMany('projects'),
      stacks: is.toMany('stacks'),
    },
  ),
  'ssh-keys': is.resource('ssh-keys', { name: is.text }),
  'agent-pools': is.resource(
    'agent-pools',
    { name: is.text, 'created-at': is.time, 'organization-scoped': is.flag, 'agent-count': is.integer },
    {
      organization: is.toOne('organizations'),
      agents: is.linkOnly,
      'authentication-tokens': is.linkOnly,
      workspaces: is.toMany('workspaces'),
      'allowed-workspaces': is.toMany('workspaces'),
      'excluded-workspaces': is.toMany('workspaces'),
      'allowed-projects': is.toMany('projects'),
    },
  ),
  agents: is.resource(
    'agents',
    {
      name: is.text,
      status: Type.Enum([...AGENT_STATUSES]),
      'ip-address': is.text,
      'last-ping-at': is.time,
      'created-at': is.time,
    },
    { 'agent-pool': is.toOne('agent-pools'), run: is.toOne('runs') },
  ),
  'oauth-clients': is.resource(
    'oauth-clients',
    {
      name: is.textOrNull,
      'created-at': is.time,
      'api-url': is.text,
      'http-url': is.text,
      'callback-url': is.textOrNull,
      'connect-path': is.textOrNull,
      key: is.textOrNull,
      'rsa-public-key': is.textOrNull,
      secret: nullable(is.text),
      'service-provider': Type.Enum(Object.keys(SERVICE_PROVIDERS)),
      'service-provider-display-name': is.text,
      'organization-scoped': is.flag,
    },
    {
      organization: is.toOne('organizations'),
      'agent-pool': is.toOne('agent-pools'),
      'oauth-tokens': is.toMany('oauth-tokens'),
      projects: is.toMany('projects'),
    },
  ),
  'oauth-tokens': is.resource(
    'oauth-tokens',
    { uid: is.textOrNull, 'created-at': is.time, 'service-provider-user': is.text, 'has-ssh-key': is.flag },
    { 'oauth-client': is.toOne('oauth-clients') },
  ),
};
