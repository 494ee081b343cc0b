import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource } from '../../jsonapi/document.ts';
import type { NotificationConfiguration } from './notification.ts';

/** Returns the JSON:API resource of a notification configuration, without its token. */
export function configurationResource(configuration: NotificationConfiguration): Resource {
  const { id, workspaceId } = configuration;
  return {
    id,
    type: 'notification-configurations',
    attributes: {
      'created-at': isoTime(configuration.createdAt),
      'delivery-responses': configuration.responses,
      'destination-type': configuration.destinationType,
      'email-addresses': [],
      enabled: configuration.enabled,
      name: configuration.name,
      token: null,
      triggers: configuration.triggers,
      'updated-at': isoTime(configuration.updatedAt),
      url: configuration.url,
    },
    relationships: {
      subscribable: { data: { type: 'workspaces', id: workspaceId }, ...linked(`/api/v2/workspaces/${workspaceId}`) },
      users: { data: [] },
    },
    links: { self: `/api/v2/notification-configurations/${id}` },
  };
}
