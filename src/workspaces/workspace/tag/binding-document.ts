import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { EffectiveBinding } from './effective-bindings.ts';

/** A key-value tag of a workspace. */
interface OwnBinding {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

/** Returns the document of a workspace's own key-value tag (spec §2.5). */
export function bindingResource({ id, key, value, createdAt }: OwnBinding): Resource {
  return { id, type: 'tag-bindings', attributes: { key, value, 'created-at': isoTime(createdAt) } };
}

/**
 * Returns the document of an effective key-value tag. Older clients read its origin from the links, newer ones from
 * the relationships. A tag that is not inherited has neither, because clients take any link as a sign of inheritance.
 */
export function effectiveBindingResource({ id, key, value, projectId }: EffectiveBinding): Resource {
  const resource: Resource = { id, type: 'effective-tag-bindings', attributes: { key, value } };
  if (projectId === null) return resource;
  const related = `/api/v2/projects/${projectId}`;
  return {
    ...resource,
    relationships: { 'inherited-from': { data: { type: 'projects', id: projectId }, links: { related } } },
    links: { 'inherited-from': related },
  };
}
