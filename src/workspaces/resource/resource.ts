import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Resource } from '../jsonapi/document.ts';
import type { AnyContext, Attributes, ReadFunction, Written } from './attribute.ts';
import { compileDocument } from './compile-document.ts';
import type { Relationships } from './relationship.ts';
import * as is from './shapes.ts';

/** Everything that a resource is, each name once. */
export interface Declaration<Model, Context extends AnyContext, A extends Attributes<Model, Context>> {
  readonly attributes: A;
  readonly relationships?: Relationships<Model, Context>;
  readonly links?: ReadFunction<Model, Context, Resource['links']>;
}

/** The id of a resource. Default: the model's `id`. A model without one needs it. */
type IdOf<Model, Context extends AnyContext> = Model extends { readonly id: string }
  ? { readonly id?: ReadFunction<Model, Context, string> }
  : { readonly id: ReadFunction<Model, Context, string> };

/** Attributes of a body, by name. */
type Bodies<A, Use extends keyof Written> = {
  [Name in keyof A as A[Name] extends Readonly<Record<Use, TSchema>> ? Name : never]: A[Name] extends Readonly<
    Record<Use, infer S extends TSchema>
  >
    ? S
    : never;
};

/** A resource that is declared once: its documents, its schema in OpenAPI, and the attributes of its bodies. */
export interface DeclaredResource<Model, Context extends AnyContext, A> {
  readonly type: string;
  /** Schema of its documents. */
  readonly schema: TSchema;
  /** Returns the document of a model. */
  readonly document: (model: Model, ...context: Context) => Resource;
  /** Schema of the attributes of a create body. */
  readonly create: TObject<Bodies<A, 'create'>>;
  /** Schema of the attributes of an update body. */
  readonly update: TObject<Bodies<A, 'update'>>;
}

/** A declared resource for OpenAPI, whatever its model. */
export type AnyResource = Pick<DeclaredResource<never, never, unknown>, 'type' | 'schema'>;

/**
 * Declares a resource: `resourceOf<Variable>()('vars', { attributes: … })`.
 * @typeParam Model what its documents are made from
 * @typeParam Context what documents depend on besides the model
 */
export function resourceOf<Model, Context extends AnyContext = []>() {
  return <const A extends Attributes<Model, Context>>(
    type: string,
    declaration: Declaration<Model, Context, A> & IdOf<Model, Context>,
  ): DeclaredResource<Model, Context, A> => {
    const { attributes, relationships } = declaration;
    const shown = shownOf(attributes);
    const related = relationships && shownOf(relationships);
    return {
      type,
      schema: is.resource(type, schemasOf(shown), related && schemasOf(related)),
      document: compileDocument(type, { ...declaration, attributes: shown, relationships: related }),
      create: Type.Object(bodyOf(attributes, 'create') as Bodies<A, 'create'>),
      update: Type.Object(bodyOf(attributes, 'update') as Bodies<A, 'update'>),
    };
  };
}

type Member = Written & { readonly shown?: TSchema; readonly read?: unknown };

function shownOf(members: Readonly<Record<string, Member>>) {
  return Object.fromEntries(Object.entries(members).filter(([, { shown }]) => shown)) as never;
}

function schemasOf(members: Readonly<Record<string, { readonly shown: TSchema }>>): TProperties {
  return Object.fromEntries(Object.entries(members).map(([name, { shown }]) => [name, shown]));
}

function bodyOf(attributes: Readonly<Record<string, Written>>, use: keyof Written): TProperties {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, { [use]: schema }]) => (schema ? [[name, schema]] : [])),
  );
}
