import type { TSchema } from 'typebox';
import { type AnyContext, attribute, type ReadFunction, type Shown, type ValueOf, type Written } from './attribute.ts';

/** Names of the members whose values have this type. */
type NameOf<Part, Value> = { [Name in keyof Part]: Part[Name] extends Value ? Name : never }[keyof Part] & string;

/**
 * Returns a function that declares attributes which a part of the model has under the same names:
 * `const settings = membersOf<View>()((view) => view.settings)`, then `...settings(is.flag, ['auto-apply'], optional(flag))`.
 */
export function membersOf<Model, Context extends AnyContext = []>() {
  return <Part>(partOf: ReadFunction<Model, Context, Part>) => {
    return <S extends TSchema, const Name extends NameOf<Part, ValueOf<S>>, W extends Written = object>(
      shown: S,
      names: readonly Name[],
      written?: W,
    ): Record<Name, Shown<Model, Context> & W> => {
      const member = (name: Name) =>
        attribute<Model, Context, S, W>(shown, (...given) => partOf(...given)[name] as ValueOf<S>, written);
      return Object.fromEntries(names.map((name) => [name, member(name)])) as Record<Name, Shown<Model, Context> & W>;
    };
  };
}
