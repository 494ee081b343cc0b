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

/** Declares a relationship to one resource of this type with its URL, or to none if there is no id. */
export function linkedToOne<Model, Context extends AnyContext>(
  type: string,
  id: Read<Model, Context, string | null>,
): Related<Model, Context> {
  const read = functionOf(id);
  return { shown: is.toOne(type), read: (...given) => linkedTo(type, read(...given)) };
}

/** Declares a relationship to one resource of any of these types with its URL, or to none. No types: any type. */
export function linkedToOneOf<Model, Context extends AnyContext>(
  types: readonly string[],
  read: ReadFunction<Model, Context, Identifier | null>,
): Related<Model, Context> {
  return {
    shown: is.toOne(...types),
    read: (...given) => {
      const found = read(...given);
      return found === null ? identifierOf('', null) : linkedTo(found.type, found.id);
    },
  };
}

function linkedTo(type: string, id: string | null): Relationship {
  return id === null ? identifierOf(type, id) : { ...identifierOf(type, id), ...linked(`/api/v2/${type}/${id}`) };
}

/** Declares a relationship to several resources of one type. */
export function toMany<Model, Context extends AnyContext>(
  type: string,
  ids: Read<Model, Context, readonly string[]>,
): Related<Model, Context> {
  const read = functionOf(ids);
  return { shown: is.toMany(type), read: (...given) => ({ data: read(...given).map((id) => ({ type, id })) }) };
}

/** Declares a relationship to several resources of one type, with the URL of their list. */
export function linkedToMany<Model, Context extends AnyContext>(
  type: string,
  ids: Read<Model, Context, readonly string[]>,
  url: ReadFunction<Model, Context, string>,
): Related<Model, Context> {
  const { shown, read } = toMany(type, ids);
  return { shown, read: (...given) => ({ ...read(...given), ...linked(url(...given)) }) };
}

/** Declares a relationship that has only a link. */
export function link<Model, Context extends AnyContext>(
  read: ReadFunction<Model, Context, string>,
): Related<Model, Context> {
  return { shown: is.linkOnly, read: (...given) => linked(read(...given)) };
}
