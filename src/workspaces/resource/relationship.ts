import type { TSchema } from 'typebox';
import { type Identifier, toOne as identifierOf, linked, type Relationship } from '../jsonapi/document.ts';
import { type AnyContext, functionOf, type Read, type ReadFunction } from './attribute.ts';
import * as is from './shapes.ts';

/** A relationship that documents contain. */
export interface Related<Model, Context extends AnyContext> {
  readonly shown: TSchema;
  readonly read: ReadFunction<Model, Context, Relationship | undefined>;
}

/** The relationships of a resource by name. */
export type Relationships<Model, Context extends AnyContext> = Readonly<Record<string, Related<Model, Context>>>;

/**
 * Declares a relationship of any form.
 * @param shown schema in documents; an optional one if `read` may return undefined: the document then does not have it
 */
export function relationship<Model, Context extends AnyContext>(
  shown: TSchema,
  read: ReadFunction<Model, Context, Relationship | undefined>,
): Related<Model, Context> {
  return { shown, read };
}

/** Declares a relationship to one resource of this type, or to none if there is no id. */
export function toOne<Model, Context extends AnyContext>(
  type: string,
  id: Read<Model, Context, string | null>,
): Related<Model, Context> {
  const read = functionOf(id);
  return { shown: is.toOne(type), read: (...given) => identifierOf(type, read(...given)) };
}

/** Declares a relationship to one resource of any of these types, or to none. */
export function toOneOf<Model, Context extends AnyContext, const Type extends string>(
  types: readonly Type[],
  read: ReadFunction<Model, Context, (Identifier & { readonly type: Type }) | null>,
): Related<Model, Context> {
  return { shown: is.toOne(...types), read: (...given) => ({ data: read(...given) }) };
}

/** Declares a relationship to several resources of one type. */
export function toMany<Model, Context extends AnyContext>(
  type: string,
  ids: Read<Model, Context, readonly string[]>,
): Related<Model, Context> {
  const read = functionOf(ids);
  return { shown: is.toMany(type), read: (...given) => ({ data: read(...given).map((id) => ({ type, id })) }) };
}

/** Declares a relationship that has only a link. */
export function link<Model, Context extends AnyContext>(
  read: ReadFunction<Model, Context, string>,
): Related<Model, Context> {
  return { shown: is.linkOnly, read: (...given) => linked(read(...given)) };
}
