import type { Shown } from '../output/output.ts';

/** Part of a workspace API resource that the CLI reads. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
}

/**
 * Flattens a JSON:API document: the attributes of its resource, or a row for each resource. Returns other documents
 * unchanged.
 */
export function shownDocument(body: unknown): Shown {
  const { data } = (body ?? {}) as { readonly data?: unknown };
  if (Array.isArray(data)) return { whole: body, brief: data.map(flat) };
  return { whole: body, brief: data === undefined || data === null ? body : flat(data) };
}

function flat(resource: unknown): unknown {
  if (typeof resource !== 'object' || resource === null) return resource;
  const { id, type, attributes } = resource as Resource;
  return { id, type, ...attributes };
}

/** Returns the ID in a relationship to one resource. */
export function linkedId(relationship: { readonly data?: unknown } | undefined): string | undefined {
  return (relationship?.data as { readonly id: string } | null | undefined)?.id;
}
