import { Type } from 'typebox';
import type { Resource } from '../../jsonapi/document.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, linkedToOneOf, optional, resourceOf, time, timeOrNull, toMany } from '../../resource/index.ts';
import { type ConfigurationView, DESTINATION_TYPES, STORED_TRIGGERS, TRIGGERS } from './notification.ts';
import { subscribableOf } from './subscribables.ts';

/** @limit recipients of a notification configuration: users and addresses, recipients -> 422 */
export const MAX_RECIPIENTS = 100;
/** @limit hours that a run must wait before a digest lists it, hours -> 422 */
const MAX_WAITING_HOURS = 720;

const shownDigest = Type.Object({ hour: is.integer, 'time-zone': is.text, 'waiting-hours': is.integer });
/** Daily digest. Absent fields get their defaults. */
const writtenDigest = Type.Object({
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
  'time-zone': Type.Optional(text(100)),
  'waiting-hours': Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAITING_HOURS })),
});
const shownResponse = Type.Object({
  body: is.text,
  code: is.text,
  headers: is.mapOf(is.texts),
  'sent-at': is.time,
  successful: Type.Enum(['true', 'false']),
  url: is.text,
});

/** A configuration as documents show it. The URL is null if the reader must not know it. */
type Shown = Omit<ConfigurationView, 'url'> & { readonly url: string | null };

/** A notification configuration. `rules.ts` validates the combination of the attributes. */
export const NotificationResource = resourceOf<Shown>()('notification-configurations', {
  attributes: {
    'created-at': time('createdAt'),
    'delivery-responses': attribute(Type.Array(shownResponse), 'responses'),
    'destination-type': attribute(Type.Enum([...DESTINATION_TYPES]), 'destinationType', optional(nullable(text(100)))),
    // Digest and notice are not in HCP Terraform.
    digest: attribute(Type.Union([shownDigest, Type.Null()]), 'digest', optional(nullable(writtenDigest))),
    'digest-at': timeOrNull('digestAt'),
    'email-addresses': attribute(
      is.texts,
      'emailAddresses',
      optional(nullable(Type.Array(text(320), { maxItems: MAX_RECIPIENTS }))),
    ),
    enabled: attribute(is.flag, 'enabled', optional(nullable(Type.Boolean()))),
    name: attribute(is.text, 'name', optional(nullable(text(255)))),
    notice: attribute(is.textOrNull, 'notice'),
    // The token is write-only.
    token: attribute(Type.Null(), () => null, optional(nullable(text(4096)))),
    triggers: attribute(
      Type.Array(Type.Enum([...TRIGGERS, ...STORED_TRIGGERS])),
      'triggers',
      optional(nullable(Type.Array(text(100), { maxItems: 100 }))),
    ),
    'updated-at': time('updatedAt'),
    // Null for emails.
    url: attribute(
      is.textOrNull,
      ({ destinationType, url }) => (destinationType === 'email' ? null : url),
      optional(nullable(text(4096))),
    ),
  },
  relationships: {
    subscribable: linkedToOneOf(['workspaces', 'projects', 'teams', 'organizations'], (configuration) =>
      subscribableOf(configuration, configuration.organizationName),
    ),
    users: toMany('users', 'emailUsers'),
  },
  links: ({ id }) => ({ self: `/api/v2/notification-configurations/${id}` }),
});

/** Returns the document for readers who may not manage the configuration: without receivers and their responses. */
export function inheritedDocument(configuration: ConfigurationView): Resource {
  const hidden = { responses: [], emailAddresses: [], emailUsers: [], url: null };
  return NotificationResource.document({ ...configuration, ...hidden });
}
