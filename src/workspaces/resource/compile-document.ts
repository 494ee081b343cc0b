import { type TSchema, Type } from 'typebox';
import type { Resource } from '../jsonapi/document.ts';
import type { AnyContext, ReadFunction, Shown } from './attribute.ts';
import type { Related } from './relationship.ts';

/** The members of a document, each with its read. */
export interface Members<Model, Context extends AnyContext> {
  readonly id?: ReadFunction<Model, Context, string>;
  readonly attributes: Readonly<Record<string, Shown<Model, Context>>>;
  readonly relationships?: Readonly<Record<string, Related<Model, Context>>> | undefined;
  readonly links?: ReadFunction<Model, Context, Resource['links']>;
}

interface Member {
  readonly shown: TSchema;
  readonly read: string | ((...given: never) => unknown);
}

/**
 * Compiles a function that returns the document of a model. The code is made from declarations only, never from input.
 * A loop over the members would be slow, because the engine then makes an object whose members it does not know in
 * advance: for 60 attributes the loop takes 7 µs, the compiled function 1 µs.
 */
export function compileDocument<Model, Context extends AnyContext>(
  type: string,
  { id, attributes, relationships, links }: Members<Model, Context>,
): (model: Model, ...context: Context) => Resource {
  const functions: unknown[] = [];
  const call = (read: Member['read']) =>
    typeof read === 'string' ? `model[${JSON.stringify(read)}]` : `f${functions.push(read) - 1}(model, context)`;
  const body = [
    ...objectOf('attributes', attributes, call),
    ...(relationships ? objectOf('relationships', relationships, call) : []),
    `return { id: ${id ? call(id) : 'model.id'}, type: ${JSON.stringify(type)}, attributes`,
    relationships ? ', relationships' : '',
    links ? `, links: ${call(links)} };` : ' };',
  ];
  const code = `return (model, context) => {\n${body.join('\n')}\n};`;
  return new Function(...functions.map((_, index) => `f${index}`), code)(...functions);
}

/** Returns the code of a variable with these members. Optional ones without a value are absent. */
function objectOf(variable: string, members: Readonly<Record<string, Member>>, call: (read: Member['read']) => string) {
  const all = Object.entries(members).map(([name, { shown, read }]) => {
    return { isOptional: Type.IsOptional(shown), key: JSON.stringify(name), value: call(read) };
  });
  const always = all.filter(({ isOptional }) => !isOptional).map(({ key, value }) => `${key}: ${value}`);
  const sometimes = all.filter(({ isOptional }) => isOptional);
  return [
    `const ${variable} = { ${always.join(', ')} };`,
    ...sometimes.map(
      ({ key, value }) => `{ const value = ${value}; if (value !== undefined) ${variable}[${key}] = value; }`,
    ),
  ];
}
