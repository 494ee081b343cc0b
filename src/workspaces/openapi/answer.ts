import { MEDIA_TYPE } from '../jsonapi/document.ts';
import type { AnyResource } from '../resource/index.ts';
import { reference, SECURITY } from './components.ts';

/** Description of a route's successful response. */
export interface Answer {
  /** Status codes; several if they depend on the request. None for a route that never has a result. */
  readonly statuses: readonly number[];
  /** Schema of its body; absent without a body. */
  readonly content?: { readonly mediaType: string; readonly schema: object };
  /** Security requirements in OpenAPI: an empty list allows everyone; an empty object in it allows signed URLs. */
  readonly security: readonly object[];
}

/** Options of a route with its answer, for the OpenAPI document. The tests check every response against it. */
export interface Answered {
  readonly answer: Answer;
}

const ANYBODY: readonly object[] = [];
const SIGNED_OR_TOKEN = [...SECURITY, {}];
const INCLUDED = { included: { type: 'array', items: reference('Resource') } };

type Members = Readonly<Record<string, object>>;

/**
 * Describes an object.
 * @param optional members that may be absent
 */
function json(statuses: readonly number[], data: object, more: Members = {}, optional: Members = {}): Answer {
  const properties = { data, ...INCLUDED, ...more, ...optional };
  const schema = { type: 'object', required: ['data', ...Object.keys(more)], properties };
  return { statuses, content: { mediaType: MEDIA_TYPE, schema }, security: SECURITY };
}

function schemaOf({ type }: AnyResource): object {
  return reference(type);
}

function anyOf(resources: readonly AnyResource[]): object {
  const [first, ...rest] = resources.map(schemaOf);
  return first !== undefined && rest.length === 0 ? first : { anyOf: resources.map(schemaOf) };
}

function allOf(resource: AnyResource): object {
  return { type: 'array', items: schemaOf(resource) };
}

/** Response with one resource. */
export const resourceAnswer = (...resources: readonly AnyResource[]): Answer => json([200], anyOf(resources));
/** Response with one resource that was created. */
export const made = (...resources: readonly AnyResource[]): Answer => json([201], anyOf(resources));
/** Response with one resource that was created or updated. */
export const set = (...resources: readonly AnyResource[]): Answer => json([200, 201], anyOf(resources));
/** Response with all resources of a list. */
export const listAnswer = (resource: AnyResource): Answer => json([200], allOf(resource));
/** Response with all resources of a list, and facts about the list. @param meta schema of the facts */
export const listWithMeta = (resource: AnyResource, meta: object): Answer => json([200], allOf(resource), { meta });
const NEXT_PAGE = {
  type: 'object',
  required: ['next-page'],
  properties: { 'next-page': { type: ['integer', 'null'] } },
};
const OF_PAGES = { links: reference('PageLinks'), meta: reference('PageMeta') };
/** Response with one page of resources, and links to the other pages. */
export const pageAnswer = (resource: AnyResource): Answer => json([200], allOf(resource), OF_PAGES);
/** Response with one page of resources, and the number of the next page, without a total. */
export const nextPageAnswer = (resource: AnyResource): Answer => json([200], allOf(resource), { meta: NEXT_PAGE });
/** Response with one page of resources, and counts on request. */
export const countedPage = (resource: AnyResource, meta = 'CountedPageMeta'): Answer =>
  json([200], allOf(resource), { ...OF_PAGES, meta: reference(meta) });
/** Response with one page on request, otherwise with all resources. */
export const pageIfAsked = (resource: AnyResource): Answer => json([200], allOf(resource), {}, OF_PAGES);

/** Response with a list that is always empty. */
export const emptyPage: Answer = json(
  [200],
  { type: 'array', items: {}, maxItems: 0 },
  { links: reference('PageLinks'), meta: reference('PageMeta') },
);

/** Response without a body: the operation is finished. */
export const done: Answer = { statuses: [204], security: SECURITY };
/** Response without a body: the operation is accepted and continues in the background. */
export const accepted: Answer = { statuses: [202], security: SECURITY };
/** Response of a route that clients request and that always returns 404 or 405. */
export const absent: Answer = { statuses: [], security: SECURITY };
/** Response without a body after an upload to a signed URL. */
export const stored: Answer = { statuses: [200], security: ANYBODY };
/** Response with the resource, or 204 if there is none. */
export const orNothing = (answer: Answer): Answer => ({ ...answer, statuses: [...answer.statuses, 204] });
/** Response to requests without a token. */
export const open = (answer: Answer): Answer => ({ ...answer, security: ANYBODY });
/** Response in JSON that is not JSON:API. */
export const plainAnswer = (schema: object): Answer => ({
  statuses: [200],
  content: { mediaType: 'application/json', schema },
  security: SECURITY,
});
/** Response with a file, for holders of a token or, if `signed`, of a signed URL. */
export const file = (mediaType: string, signed: boolean): Answer => ({
  statuses: [200],
  content: { mediaType, schema: {} },
  security: signed ? SIGNED_OR_TOKEN : SECURITY,
});
