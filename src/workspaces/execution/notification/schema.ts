import { type Static, Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { createBody, updateBody } from '../../resource/index.ts';
import { MAX_RECIPIENTS, NotificationResource } from './resource.ts';

const users = Type.Array(Type.Object({ id: text(100) }), { maxItems: MAX_RECIPIENTS });
const relationships = { users: Type.Optional(Type.Object({ data: nullable(users) })) };

/** Body of a creation. */
export const CreateConfiguration = createBody(NotificationResource, relationships);
/** Body of an update. Absent attributes stay unchanged. */
export const UpdateConfiguration = updateBody(NotificationResource, relationships);

/** `data` of a request body. */
export type ConfigurationInput = Static<typeof UpdateConfiguration>['data'];
