import { Type } from 'typebox';
import { attribute, is, resourceOf, time } from '../../resource/index.ts';

interface Binding {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

/** A key-value tag of a project or a workspace. */
export const TagBindingResource = resourceOf<Binding>()('tag-bindings', {
  attributes: {
    key: attribute(is.text, 'key'),
    value: attribute(is.text, 'value'),
    'created-at': time('createdAt'),
  },
});

const Effective = resourceOf<Omit<Binding, 'createdAt'>>()('effective-tag-bindings', {
  attributes: { key: attribute(is.text, 'key'), value: attribute(is.text, 'value') },
});

/** A tag in the list of effective tags. */
export const EffectiveTagBindingResource = {
  ...Effective,
  schema: Type.Object({
    ...is.resource(Effective.type, { key: is.text, value: is.text }).properties,
    // Present only if it is included.
    id: Type.Optional(is.text),
    // Present only for tags that are inherited from the project.
    relationships: Type.Optional(Type.Object({ 'inherited-from': is.toOne('projects') })),
  }),
};
