import { type TObject, type TProperties, Type } from 'typebox';
import { typed } from '../jsonapi/schema.ts';

/** A resource with the attributes of its bodies. */
interface Writable<Create extends TProperties, Update extends TProperties> {
  readonly type: string;
  readonly create: TObject<Create>;
  readonly update: TObject<Update>;
}

/** Body of a create request: attributes are required. Undefined members are ignored, because clients send more. */
export function createBody<C extends TProperties, R extends TProperties>(
  { type, create }: Writable<C, TProperties>,
  relationships: R,
) {
  return Type.Object({
    data: Type.Object({
      type: typed(type),
      attributes: create,
      relationships: Type.Optional(Type.Object(relationships)),
    }),
  });
}

/**
 * Body of an update request: the attributes may be absent. If one of them is required, use `resourceBody` instead,
 * because its absence must be an error.
 */
export function updateBody<U extends TProperties, R extends TProperties>(
  { type, update }: Writable<TProperties, U>,
  relationships: R,
) {
  return Type.Object({
    data: Type.Object({
      type: typed(type),
      attributes: Type.Optional(update),
      relationships: Type.Optional(Type.Object(relationships)),
    }),
  });
}
