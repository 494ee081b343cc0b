import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, optional, required, resourceOf, time, toOne } from '../../resource/index.ts';
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
