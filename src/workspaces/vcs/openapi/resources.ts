import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { SERVICE_PROVIDERS } from '../connection/connection.ts';
import { ACTIVITY_RESOURCES } from './activity.ts';

/** A verdict with its words. */
const verdict = {
  outcome: Type.Enum(['run', 'speculative', 'skipped']),
  code: is.text,
  text: is.text,
  'without-secrets': is.flag,
  checks: Type.Array(
    Type.Object({ question: is.text, 'question-text': is.text, passes: is.flag, code: is.text, text: is.text }),
  ),
};

const HEALTH = {
  'connection-status': Type.Enum(['unverified', 'ok', 'refused', 'unreachable']),
  'connection-status-reason': is.textOrNull,
  'connection-status-since': is.timeOrNull,
};

/** Schemas of connections to version control, by resource type. */
export const VCS_RESOURCES = {
  ...ACTIVITY_RESOURCES,
  'oauth-clients': is.resource(
    'oauth-clients',
    {
      name: is.textOrNull,
      'created-at': is.time,
      'updated-at': is.time,
      uuid: is.text,
      'api-url': is.text,
      'http-url': is.text,
      'callback-url': is.textOrNull,
      'connect-path': is.textOrNull,
      key: is.textOrNull,
      'ado-entra-tenant-id': is.textOrNull,
      'rsa-public-key': is.textOrNull,
      secret: nullable(is.text),
      'service-provider': Type.Enum(Object.keys(SERVICE_PROVIDERS)),
      'service-provider-display-name': is.text,
      'organization-scoped': is.flag,
      'allowed-repositories': is.texts,
      'affected-workspaces-count': is.integer,
      ...HEALTH,
      'connection-checked-at': is.timeOrNull,
    },
    {
      organization: is.toOne('organizations'),
      'agent-pool': is.toOne('agent-pools'),
      'oauth-tokens': is.toMany('oauth-tokens'),
      projects: is.toMany('projects'),
    },
  ),
  'fork-approvals': is.resource(
    'fork-approvals',
    { 'pull-request-number': is.integer, 'commit-sha': is.text, 'approved-at': is.time, 'approved-by-name': is.text },
    { workspace: is.toOne('workspaces'), 'approved-by': is.toOne('users') },
  ),
  'vcs-explanations': is.resource(
    'vcs-explanations',
    {
      kind: Type.Enum(['push', 'tag', 'pull']),
      ref: is.text,
      'commit-sha': is.textOrNull,
      'pull-request-number': is.integerOrNull,
      ...verdict,
      source: Type.Enum(['decided', 'waiting', 'computed']),
      problem: is.textOrNull,
      'decided-at': is.timeOrNull,
    },
    { workspace: is.toOne('workspaces'), event: is.toOne('vcs-events'), run: is.toOne('runs') },
  ),
  'vcs-previews': is.resource('vcs-previews', {
    ref: is.text,
    'commit-sha': is.text,
    message: is.textOrNull,
    author: is.textOrNull,
    'committed-at': is.timeOrNull,
    ...verdict,
  }),
  'oauth-tokens': is.resource(
    'oauth-tokens',
    {
      uid: is.textOrNull,
      'created-at': is.time,
      'service-provider-user': is.text,
      'has-ssh-key': is.flag,
      'expires-at': is.timeOrNull,
      scopes: is.texts,
      'excess-scopes': is.texts,
    },
    { 'oauth-client': is.toOne('oauth-clients'), 'vcs-organizations': is.linkOnly },
  ),
  'github-apps': is.resource(
    'github-apps',
    {
      ...{ name: is.text, slug: is.text, 'http-url': is.text, 'created-at': is.time },
      ...{ 'install-url': is.text, 'connect-path': is.text },
    },
    { organization: is.toOne('organizations') },
  ),
  'github-app-installations': is.resource(
    'github-app-installations',
    {
      name: is.text,
      'installation-id': is.integer,
      'icon-url': is.text,
      'installation-type': is.text,
      'installation-url': is.text,
      ...HEALTH,
      'connection-checked-at': is.timeOrNull,
      'affected-workspaces-count': is.integer,
    },
    { organization: is.toOne('organizations') },
  ),
  'github-app-oauth-tokens': is.resource(
    'github-app-oauth-tokens',
    { 'created-at': is.time, 'github-username': is.text },
    { user: is.toOne('users') },
  ),
  'github-app-repos': is.resource('github-app-repos', {
    ...{ name: is.text, identifier: is.text, 'installation-id': is.text, private: is.flag },
  }),
  'authorized-repos': is.resource(
    'authorized-repos',
    { name: is.text, 'display-identifier': is.text },
    { 'oauth-token': is.toOne('oauth-tokens') },
  ),
  'vcs-organization': is.resource('vcs-organization', { name: is.text }),
  'vcs-repo-check': is.resource('vcs-repo-check', {
    ...{ exists: is.flag, identifier: is.text, 'display-identifier': is.text, 'default-branch': is.textOrNull },
  }),
  'vcs-branches': is.resource('vcs-branches', { name: is.text, 'is-default': is.flag }),
  'vcs-tree': is.resource('vcs-tree', { path: is.text }),
};
