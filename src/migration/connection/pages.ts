import { MigrationError } from '../model/errors.ts';
import type { Connection } from './connection.ts';

/** Part of a JSON:API resource that a migration reads. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships: Readonly<Record<string, { readonly data?: unknown }>>;
}

/** A JSON:API document. */
export interface Document {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
  /** Whether the server has the list, for this token. */
  readonly isFound: boolean;
}

const PAGE_SIZE = 100;
/** @limit resources of one list that a migration reads, resources -> the migration stops */
const MAX_RESOURCES = 200_000;

/**
 * Reads all pages of a list. A server that repeats pages or never ends them is refused.
 * @throws MigrationError for a response that is not JSON:API
 */
export async function allPages(connection: Connection, path: string): Promise<Document> {
  const data = new Map<string, Resource>();
  const included = new Map<string, Resource>();
  for (let next: number | undefined = 1; next !== undefined; ) {
    const url: string = `${path}${path.includes('?') ? '&' : '?'}page[number]=${next}&page[size]=${PAGE_SIZE}`;
    const body = (await connection.find(url)) as Record<string, unknown> | null | undefined;
    if (body === undefined) return { data: [...data.values()], included: [...included.values()], isFound: next > 1 };
    const before: number = data.size;
    for (const one of resourcesIn(body?.data, path)) data.set(one.id, one);
    for (const one of resourcesIn(body?.included ?? [], path)) included.set(one.id, one);
    if (data.size > MAX_RESOURCES)
      throw new MigrationError('failed', `${connection.host}${path} lists more than ${MAX_RESOURCES} resources`);
    const following = nextPage(body?.meta);
    if (following !== undefined && (following <= next || data.size === before))
      throw new MigrationError('failed', `${connection.host}${path} repeats its pages without an end`);
    next = following;
  }
  return { data: [...data.values()], included: [...included.values()], isFound: true };
}

/** Reads one resource. Undefined for 404. */
export async function oneResource(connection: Connection, path: string): Promise<Resource | undefined> {
  const body = (await connection.find(path)) as Record<string, unknown> | null | undefined;
  return body === undefined || body?.data === null ? undefined : resourceOf(body?.data, path);
}

/** @throws MigrationError for another value */
export function resourceOf(value: unknown, path: string): Resource {
  const { id, type, attributes, relationships } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '' || !isObject(attributes ?? {}) || !isObject(relationships ?? {})) {
    throw new MigrationError('failed', `the response to ${path} is not a JSON:API document. Check the address`);
  }
  const related = Object.entries((relationships ?? {}) as object).filter(([, one]) => isObject(one));
  return {
    ...{ id, type: String(type) },
    attributes: (attributes ?? {}) as Record<string, unknown>,
    relationships: Object.fromEntries(related),
  };
}

function resourcesIn(value: unknown, path: string): Resource[] {
  if (!Array.isArray(value))
    throw new MigrationError('failed', `the response to ${path} is not a JSON:API list. Check the address`);
  return value.map((one) => resourceOf(one, path));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nextPage(meta: unknown): number | undefined {
  const { pagination } = (meta ?? {}) as { pagination?: { 'next-page'?: unknown } };
  const next = pagination?.['next-page'];
  return typeof next === 'number' && Number.isSafeInteger(next) ? next : undefined;
}

/** Returns the IDs of a relationship. */
export function relatedIds({ relationships }: Resource, name: string): readonly string[] {
  const { data } = relationships[name] ?? {};
  const found = Array.isArray(data) ? data : [data];
  return found.flatMap((one) => {
    const { id } = (one ?? {}) as { id?: unknown };
    return typeof id === 'string' ? [id] : [];
  });
}

/** Text of an attribute; empty if it is missing. */
export const textIn = ({ attributes }: Resource, name: string): string => {
  const value = attributes[name];
  return typeof value === 'string' ? value : '';
};
