import { type Static, Type } from 'typebox';
import { nullable, resourceBody, text } from '../../jsonapi/schema.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const value = Type.Optional(nullable(text(4096)));

/** @limit recipients of a notification configuration: users and addresses, recipients -> 422 */
export const MAX_RECIPIENTS = 100;
/** @limit hours that a run must wait before a digest lists it, hours -> 422 */
const MAX_WAITING_HOURS = 720;

/** Daily digest. Absent fields get their defaults. */
const DigestOptions = Type.Object({
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
  'time-zone': Type.Optional(text(100)),
  'waiting-hours': Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAITING_HOURS })),
});

/** Attributes from a client. `rules.ts` validates their combination. */
const Attributes = Type.Object({
  'destination-type': Type.Optional(nullable(text(100))),
  digest: Type.Optional(nullable(DigestOptions)),
  'email-addresses': Type.Optional(nullable(Type.Array(text(320), { maxItems: MAX_RECIPIENTS }))),
  enabled: flag,
  name: Type.Optional(nullable(text(255))),
  token: value,
  triggers: Type.Optional(nullable(Type.Array(text(100), { maxItems: 100 }))),
  url: value,
});
const users = Type.Array(Type.Object({ id: text(100) }), { maxItems: MAX_RECIPIENTS });
const relationships = { users: Type.Optional(Type.Object({ data: nullable(users) })) };

/** Body of a creation. */
export const CreateConfiguration = resourceBody('notification-configurations', Attributes, relationships);
/** Body of an update. Absent attributes stay unchanged. */
export const UpdateConfiguration = resourceBody(
  'notification-configurations',
  Type.Optional(Attributes),
  relationships,
);

/** `data` of a request body. */
export type ConfigurationInput = Static<typeof UpdateConfiguration>['data'];
