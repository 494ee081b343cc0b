import { type Static, type TOptional, type TSchema, Type } from 'typebox';
import { isoTime } from '../../lib/clock.ts';
import { nullable } from '../jsonapi/schema.ts';

const TIME = Type.String({ format: 'date-time' });

/** A value as it may be read from a model: arrays may be read-only. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadOnly<T[Name]> }
    : T;

/** The value that a schema describes. Only an optional one may be undefined; the document then does not have it. */
export type ValueOf<Schema extends TSchema> =
  | ReadOnly<Static<Schema>>
  | (Schema extends TOptional<TSchema> ? undefined : never);

/** Names of the model's properties whose values have this type. */
type PropertyOf<Model, Value> = {
  [Name in keyof Model]-?: Model[Name] extends Value ? Name : never;
}[keyof Model] &
  string;

/** The context of a document: nothing, or one value besides the model, for example the time of the request. */
export type AnyContext = readonly [unknown?];

/** Reads a value from a model and the context. */
export type ReadFunction<Model, Context extends AnyContext, Value> = (
  ...given: readonly [model: Model, ...context: Context]
) => Value;

/** Reads a value from a model: a property of it, or a function of the model and the context. */
export type Read<Model, Context extends AnyContext, Value> =
  | PropertyOf<Model, Value>
  | ReadFunction<Model, Context, Value>;

/** Returns the function of a read. */
export function functionOf<Model, Context extends AnyContext, Value>(
  read: Read<Model, Context, Value>,
): ReadFunction<Model, Context, Value> {
  return typeof read === 'function' ? read : (...[model]) => model[read] as Value;
}

/** The schemas of an attribute in the bodies of requests. Absent: the body does not take the attribute. */
export interface Written {
  readonly create?: TSchema;
  readonly update?: TSchema;
}

/** An attribute that documents contain. */
export interface Shown<Model, Context extends AnyContext> {
  readonly shown: TSchema;
  readonly read: string | ReadFunction<Model, Context, unknown>;
}

/** The attributes of a resource by name. An attribute without `shown` is only written, for example a secret. */
export type Attributes<Model, Context extends AnyContext> = Readonly<
  Record<string, Written | (Shown<Model, Context> & Written)>
>;

/** Declares that a create body must have the attribute, and that an update body may have it. */
export function required<S extends TSchema>(schema: S) {
  return { create: schema, update: Type.Optional(schema) };
}

/** Declares that create and update bodies may have the attribute. */
export function optional<S extends TSchema>(schema: S) {
  return { create: Type.Optional(schema), update: Type.Optional(schema) };
}

/**
 * Declares an attribute.
 * @param shown schema of its value in documents; an optional one if the attribute may be absent
 * @param read property of the model, or function of the model and the context
 * @param written how requests write it; default: not at all
 */
export function attribute<Model, Context extends AnyContext, S extends TSchema, W extends Written = object>(
  shown: S,
  read: Read<Model, Context, ValueOf<S>>,
  written?: W,
): Shown<Model, Context> & W {
  return { shown, read, ...(written as W) };
}

/** Declares a time, from a property in milliseconds since 1970. */
export function time<Model, Context extends AnyContext, W extends Written = object>(
  property: PropertyOf<Model, number>,
  written?: W,
): Shown<Model, Context> & W {
  return { shown: TIME, read: (...[model]) => isoTime(model[property] as number), ...(written as W) };
}

/** Declares a time, from a property in milliseconds since 1970 or null. */
export function timeOrNull<Model, Context extends AnyContext, W extends Written = object>(
  property: PropertyOf<Model, number | null>,
  written?: W,
): Shown<Model, Context> & W {
  const read: ReadFunction<Model, Context, string | null> = (...[model]) => {
    const milliseconds = model[property] as number | null;
    return milliseconds === null ? null : isoTime(milliseconds);
  };
  return { shown: nullable(TIME), read, ...(written as W) };
}
