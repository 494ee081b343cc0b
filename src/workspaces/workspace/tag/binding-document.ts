import { isoTime } from '../../../lib/clock.ts';
import type { Resource } from '../../jsonapi/document.ts';
import type { EffectiveBinding } from './effective-bindings.ts';

/** A key-value tag of the workspace itself. */
interface OwnBinding {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly createdAt: number;
}

/** A key-value tag of the workspace itself (spec §2.5). */
export function bindingResource({ id, key, value, createdAt }: OwnBinding): Resource {
  return { id, type: 'tag-bindings', attributes: { key, value, 'created-at': isoTime(createdAt) } };
}

/**
 * One among those that have effect. Clients of one generation read where it comes from in the links, those of the next
 * in the relationships; one that is not inherited has neither, since any link at all is taken for inheritance.
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
