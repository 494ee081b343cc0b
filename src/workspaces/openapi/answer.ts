import { MEDIA_TYPE } from '../jsonapi/document.ts';
import { reference, SECURITY } from './components.ts';

/** What a route answers when it does what it was asked. */
export interface Answer {
  /** More than one where it depends. None: it never has anything to show. */
  readonly statuses: readonly number[];
  /** Of its body; none where there is no body. */
  readonly content?: { readonly mediaType: string; readonly schema: object };
  /** Who is let in, in the words of OpenAPI: an empty list is for everybody, an empty object in it for whoever has an address. */
  readonly security: readonly object[];
  /** Nobody has said yet what it answers. */
  readonly isVague?: true;
}

/** By `GET /path/:parameter`, below the prefix of the API. */
export type Answers = Readonly<Record<string, Answer>>;

const ANYBODY: readonly object[] = [];
const SIGNED_OR_TOKEN = [...SECURITY, {}];
const INCLUDED = { included: { type: 'array', items: reference('Resource') } };

type Members = Readonly<Record<string, object>>;

/** @param optional what is there at times */
function json(statuses: readonly number[], data: object, more: Members = {}, optional: Members = {}): Answer {
  const properties = { data, ...INCLUDED, ...more, ...optional };
  const schema = { type: 'object', required: ['data', ...Object.keys(more)], properties };
  return { statuses, content: { mediaType: MEDIA_TYPE, schema }, security: SECURITY };
}

function resourceOf(types: readonly string[]): object {
  const [first, ...rest] = types.map(reference);
  return first !== undefined && rest.length === 0 ? first : { anyOf: types.map(reference) };
}

/** One resource. */
export const resourceAnswer = (...types: readonly string[]): Answer => json([200], resourceOf(types));
/** One resource, which is new. */
export const made = (...types: readonly string[]): Answer => json([201], resourceOf(types));
/** One resource, which may be new. */
export const set = (...types: readonly string[]): Answer => json([200, 201], resourceOf(types));
/** All resources there are. */
export const listAnswer = (type: string): Answer => json([200], { type: 'array', items: reference(type) });
const OF_PAGES = { links: reference('PageLinks'), meta: reference('PageMeta') };
/** Some of the resources, and where the others are. */
export const pageAnswer = (type: string): Answer => json([200], { type: 'array', items: reference(type) }, OF_PAGES);
/** The same, with what is counted beside the list for those who ask. */
export const countedPage = (type: string, meta = 'CountedPageMeta'): Answer =>
  json([200], { type: 'array', items: reference(type) }, { ...OF_PAGES, meta: reference(meta) });
/** The same for those who ask for pages; for the others all resources there are. */
export const pageIfAsked = (type: string): Answer =>
  json([200], { type: 'array', items: reference(type) }, {}, OF_PAGES);

/** A list in which nothing will ever be. */
export const emptyPage: Answer = json(
  [200],
  { type: 'array', items: {}, maxItems: 0 },
  { links: reference('PageLinks'), meta: reference('PageMeta') },
);

/** Any document, or nothing. */
export const anything: Answer = {
  statuses: [200, 201, 202, 204],
  content: { mediaType: MEDIA_TYPE, schema: { type: 'object', required: ['data'] } },
  security: SECURITY,
  isVague: true,
};

/** Nothing but that it is done. */
export const done: Answer = { statuses: [204], security: SECURITY };
/** Nothing but that it will be. */
export const accepted: Answer = { statuses: [202], security: SECURITY };
/** Clients ask for it, and there is none. */
export const absent: Answer = { statuses: [], security: SECURITY };
/** Bytes that were sent to a signed address. */
export const stored: Answer = { statuses: [200], security: ANYBODY };
/** The same, or nothing where there is none. */
export const orNothing = (answer: Answer): Answer => ({ ...answer, statuses: [...answer.statuses, 204] });
/** Whoever asks. */
export const open = (answer: Answer): Answer => ({ ...answer, security: ANYBODY });
/** A file, to whoever holds a token or, where `signed`, a signed address. */
export const file = (mediaType: string, signed: boolean): Answer => ({
  statuses: [200],
  content: { mediaType, schema: {} },
  security: signed ? SIGNED_OR_TOKEN : SECURITY,
});

/** Of key-value tags, below the path of what has them. */
export function tagBindings(path: string): Answers {
  return {
    [`GET ${path}/tag-bindings`]: listAnswer('tag-bindings'),
    [`PATCH ${path}/tag-bindings`]: listAnswer('tag-bindings'),
    [`GET ${path}/effective-tag-bindings`]: listAnswer('effective-tag-bindings'),
    [`GET ${path}/relationships/tag-bindings`]: listAnswer('tag-bindings'),
    [`POST ${path}/relationships/tag-bindings`]: done,
    [`PATCH ${path}/relationships/tag-bindings`]: done,
  };
}

/** Of the bytes behind something, below its path. */
export function backingData(path: string): Answers {
  return {
    [`POST ${path}/actions/soft_delete_backing_data`]: done,
    [`POST ${path}/actions/restore_backing_data`]: done,
    [`POST ${path}/actions/permanently_delete_backing_data`]: done,
  };
}
