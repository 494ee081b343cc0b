/** The only media type of answers (spec, head; JSON:API 1.1 §5). */
export const MEDIA_TYPE = 'application/vnd.api+json';

/** Points at a resource without showing it. */
export interface Identifier {
  readonly type: string;
  readonly id: string;
}

/** Where a resource points: at others, at an address, or at both (JSON:API 1.1 §7.2.2.2). */
export interface Relationship {
  readonly data?: Identifier | readonly Identifier[] | null;
  readonly links?: { readonly related: string };
}

/** One resource as a client sees it (JSON:API 1.1 §7.2). */
export interface Resource extends Identifier {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
  readonly links?: Readonly<Record<string, string>>;
}

/** What is shown of something that has no identity of its own. */
export type Anonymous = Omit<Resource, 'id'>;

export function withoutId({ id: _, ...rest }: Resource): Anonymous {
  return rest;
}

/** An answer: one resource or several, and what the client asked to be sent along. */
export interface Document {
  readonly data: Resource | readonly Resource[];
  readonly included?: readonly Resource[];
}

/** A relationship to one resource, or to none when there is no id. */
export function toOne(type: string, id: string | null): Relationship {
  return { data: id === null ? null : { type, id } };
}

/** A relationship that is only linked to: the client fetches it when it wants it. */
export function linked(related: string): Relationship {
  return { links: { related } };
}

/** Returns each resource once (JSON:API 1.1 §7.1). */
export function once(resources: readonly Resource[]): Resource[] {
  return [...new Map(resources.map((resource) => [`${resource.type} ${resource.id}`, resource])).values()];
}

/** Includes nothing as no member at all, so that a document without `include` stays as small as it can be. */
export function withIncluded(data: Document['data'], included: readonly Resource[]): Document {
  return included.length === 0 ? { data } : { data, included };
}
