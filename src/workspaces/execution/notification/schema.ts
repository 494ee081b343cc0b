import { type Static, Type } from 'typebox';
import { nullable, resourceBody, text } from '../../jsonapi/schema.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const value = Type.Optional(nullable(text(4096)));

/** Attributes from a client. `rules.ts` validates their combination. */
const Attributes = Type.Object({
  'destination-type': Type.Optional(nullable(text(100))),
  'email-addresses': Type.Optional(nullable(Type.Array(text(320), { maxItems: 100 }))),
  enabled: flag,
  name: Type.Optional(nullable(text(255))),
  token: value,
  triggers: Type.Optional(nullable(Type.Array(text(100), { maxItems: 100 }))),
  url: value,
});
const users = Type.Array(Type.Object({ id: text(100) }), { maxItems: 100 });
const relationships = { users: Type.Optional(Type.Object({ data: nullable(users) })) };

/** Body of a creation. */
export const CreateConfiguration = resourceBody('notification-configurations', Attributes, relationships);
/** Body of an update. Absent fields stay unchanged. */
export const UpdateConfiguration = resourceBody(
  'notification-configurations',
  Type.Optional(Attributes),
  relationships,
);

/** `data` of a request body. */
export type ConfigurationInput = Static<typeof UpdateConfiguration>['data'];
/** Attributes after schema validation. */
export type ConfigurationAttributes = Static<typeof Attributes>;
