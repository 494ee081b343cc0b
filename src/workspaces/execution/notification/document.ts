import { isoTime } from '../../../lib/clock.ts';
import { linked, type Resource } from '../../jsonapi/document.ts';
import type { ConfigurationView } from './configurations.ts';
import { subscribableOf } from './subscribables.ts';

/** Returns the JSON:API resource of a notification configuration, without its token. */
export function configurationResource(configuration: ConfigurationView): Resource {
  const { id, organizationName } = configuration;
  const subscribable = subscribableOf(configuration, organizationName);
  return {
    id,
    type: 'notification-configurations',
    attributes: {
      'created-at': isoTime(configuration.createdAt),
      'delivery-responses': configuration.responses,
      'destination-type': configuration.destinationType,
      digest: configuration.digest,
      'digest-at': configuration.digestAt === null ? null : isoTime(configuration.digestAt),
      'email-addresses': configuration.emailAddresses,
      enabled: configuration.enabled,
      name: configuration.name,
      notice: configuration.notice,
      token: null,
      triggers: configuration.triggers,
      'updated-at': isoTime(configuration.updatedAt),
      url: configuration.destinationType === 'email' ? null : configuration.url,
    },
    relationships: {
      subscribable: { data: subscribable, ...linked(`/api/v2/${subscribable.type}/${subscribable.id}`) },
      users: { data: configuration.emailUsers.map((user) => ({ type: 'users', id: user })) },
    },
    links: { self: `/api/v2/notification-configurations/${id}` },
  };
}

/** Returns the resource for readers who may not manage the configuration: without receivers and their responses. */
export function inheritedResource(configuration: ConfigurationView): Resource {
  const { attributes, ...resource } = configurationResource(configuration);
  return {
    ...resource,
    attributes: { ...attributes, 'delivery-responses': [], 'email-addresses': [], url: null },
    relationships: { ...resource.relationships, users: { data: [] } },
  };
}
