import { Type } from 'typebox';
import { nullable } from '../../jsonapi/schema.ts';
import * as is from '../../openapi/resource.ts';
import { SERVICE_PROVIDERS } from '../connection/connection.ts';

/** Schemas of connections to version control, by resource type. */
export const VCS_RESOURCES = {
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
      'rsa-public-key': is.textOrNull,
      secret: nullable(is.text),
      'service-provider': Type.Enum(Object.keys(SERVICE_PROVIDERS)),
      'service-provider-display-name': is.text,
      'organization-scoped': is.flag,
      'allowed-repositories': is.texts,
      'connection-status': Type.Enum(['unverified', 'ok', 'refused', 'unreachable']),
      'connection-status-reason': is.textOrNull,
      'connection-status-since': is.timeOrNull,
      'connection-checked-at': is.timeOrNull,
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
};
