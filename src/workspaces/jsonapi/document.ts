/** Media type of all responses (spec, head; JSON:API 1.1 §5). */
export const MEDIA_TYPE = 'application/vnd.api+json';

/** Resource identifier: refers to a resource by type and id. */
export interface Identifier {
  readonly type: string;
  readonly id: string;
}

/** Relationship: resource linkage, a link, or both (JSON:API 1.1 §7.2.2.2). */
export interface Relationship {
  readonly data?: Identifier | readonly Identifier[] | null;
  readonly links?: { readonly related: string };
}

/** Resource object (JSON:API 1.1 §7.2). */
export interface Resource extends Identifier {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
  readonly links?: Readonly<Record<string, string>>;
}

/** Resource without an id. */
export type Anonymous = Omit<Resource, 'id'>;

export function withoutId({ id: _, ...rest }: Resource): Anonymous {
  return rest;
}

/** JSON:API document: one or several resources, and the included ones. */
export interface Document {
  readonly data: Resource | readonly Resource[];
  readonly included?: readonly Resource[];
}

/** Returns a relationship to one resource, or to none if there is no id. */
export function toOne(type: string, id: string | null): Relationship {
  return { data: id === null ? null : { type, id } };
}

/** Returns a relationship with a link only; the client fetches it on demand. */
export function linked(related: string): Relationship {
  return { links: { related } };
}

/** Returns each resource once (JSON:API 1.1 §7.1). */
export function once(resources: readonly Resource[]): Resource[] {
  return [...new Map(resources.map((resource) => [`${resource.type} ${resource.id}`, resource])).values()];
}

/** Leaves `included` out if it is empty, so that a document without `include` stays small. */
export function withIncluded(data: Document['data'], included: readonly Resource[]): Document {
  return included.length === 0 ? { data } : { data, included };
}
