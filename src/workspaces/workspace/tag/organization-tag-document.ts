import { isoTime } from '../../../lib/clock.ts';
import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { ReservedKey } from './reserved-key-store.ts';

interface Tag {
  readonly id: string;
  readonly name: string;
  readonly organizationName: string;
  readonly instanceCount: number;
  readonly createdAt: number;
}

/** Returns the document of a flat tag (spec §2.5). */
export function tagResource(tag: Tag): Resource {
  return {
    id: tag.id,
    type: 'tags',
    attributes: { name: tag.name, 'created-at': isoTime(tag.createdAt), 'instance-count': tag.instanceCount },
    relationships: { organization: toOne('organizations', tag.organizationName) },
  };
}

/** Returns the document of a reserved tag key. */
export function reservedKeyResource({ id, key, disableOverrides, createdAt, updatedAt }: ReservedKey): Resource {
  return {
    id,
    type: 'reserved-tag-keys',
    attributes: {
      key,
      'disable-overrides': disableOverrides === 1,
      'created-at': isoTime(createdAt),
      'updated-at': isoTime(updatedAt),
    },
  };
}
