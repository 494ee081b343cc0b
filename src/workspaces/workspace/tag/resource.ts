import { Type } from 'typebox';
import { linked, type Resource } from '../../jsonapi/document.ts';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, toOne } from '../../resource/index.ts';
import { EffectiveTagBindingResource } from '../../tenancy/index.ts';
import type { EffectiveBinding } from './effective-bindings.ts';
import type { ReservedKey } from './reserved-key-store.ts';

interface Tag {
  readonly id: string;
  readonly name: string;
  readonly organizationName: string;
  readonly instanceCount: number;
  readonly createdAt: number;
}

/** A flat tag (spec §2.5). */
export const TagResource = resourceOf<Tag>()('tags', {
  attributes: {
    name: attribute(is.text, 'name'),
    'created-at': time('createdAt'),
    'instance-count': attribute(is.integer, 'instanceCount'),
  },
  relationships: { organization: toOne('organizations', 'organizationName') },
});

/** A reserved tag key. */
export const ReservedKeyResource = resourceOf<ReservedKey>()('reserved-tag-keys', {
  attributes: {
    // The key's own rule gives a better error than a maximum length would.
    key: attribute(is.text, 'key', required(text(1000))),
    'disable-overrides': attribute(
      is.flag,
      ({ disableOverrides }) => disableOverrides === 1,
      optional(nullable(Type.Boolean())),
    ),
    'created-at': time('createdAt'),
    'updated-at': time('updatedAt'),
  },
});

/**
 * Returns the document of an effective key-value tag. Older clients read its origin from the links, newer ones from
 * the relationships. A tag that is not inherited has neither, because clients take any link as a sign of inheritance.
 */
export function effectiveBindingDocument(binding: EffectiveBinding): Resource {
  const document = EffectiveTagBindingResource.document(binding);
  const { projectId } = binding;
  if (projectId === null) return document;
  const related = `/api/v2/projects/${projectId}`;
  return {
    ...document,
    relationships: { 'inherited-from': { data: { type: 'projects', id: projectId }, ...linked(related) } },
    links: { 'inherited-from': related },
  };
}
