import { type Static, Type } from 'typebox';
import { nullable, resourceBody, text } from '../../jsonapi/schema.ts';

const flag = Type.Optional(nullable(Type.Boolean()));
const value = Type.Optional(nullable(text(4096)));

/** What a client may say. Which of it belongs together, the rules know. */
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

/** Facts §6.13. */
export const CreateConfiguration = resourceBody('notification-configurations', Attributes, relationships);
/** The same: what is absent stays as it is. */
export const UpdateConfiguration = resourceBody(
  'notification-configurations',
  Type.Optional(Attributes),
  relationships,
);

/** `data` of a body. */
export type ConfigurationInput = Static<typeof UpdateConfiguration>['data'];
/** Attributes as the schema lets them through. */
export type ConfigurationAttributes = Static<typeof Attributes>;
