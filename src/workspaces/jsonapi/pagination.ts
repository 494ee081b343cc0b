import { Type } from 'typebox';
import type { Document, Resource } from './document.ts';

const DEFAULT_SIZE = 20;
/**
 * Maximum page size. Larger requests are reduced to it without an error.
 * @limit entries on one page of a list, entries -> the page has this many
 */
const MAX_SIZE = 100;

/** Page 0 is the first one, as in HCP Terraform. */
const PageNumber = Type.String({ pattern: '^(?:0|[1-9][0-9]{0,8})$' });
const Positive = Type.String({ pattern: '^[1-9][0-9]{0,8}$' });

/** Query parameters of a list (spec §2.6). */
export const pageQuery = {
  'page[number]': Type.Optional(PageNumber),
  'page[size]': Type.Optional(Positive),
};

/** Query parameters of an unpaged list. Clients send page parameters regardless. */
export const WholeListQuery = Type.Object(pageQuery);

/**
 * Returns everything on the first page, whatever its size, and nothing on a later one, so that clients that page stop.
 */
export function wholeList<T>(query: PageQuery, items: readonly T[]): readonly T[] {
  return Number(query['page[number]'] ?? 1) > 1 ? [] : items;
}

/** The requested part of a list. */
export interface Page {
  /** Number of the page, from 1. */
  readonly number: number;
  readonly size: number;
  readonly offset: number;
}

/** One page of a list, and the total over all pages. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Default and maximum size of a page. */
export interface PageSizes {
  readonly usual: number;
  readonly most: number;
}

const SIZES: PageSizes = { usual: DEFAULT_SIZE, most: MAX_SIZE };

/** Validated page parameters. */
export type PageQuery = { readonly 'page[number]'?: string; readonly 'page[size]'?: string };

/**
 * Returns the page of a validated query. Defaults to the first page of 20; at most 100, unless the list has other
 * sizes.
 */
export function pageOf(query: PageQuery, { usual, most } = SIZES): Page {
  const number = Math.max(1, Number(query['page[number]'] ?? 1));
  const size = Math.min(Number(query['page[size]'] ?? usual), most);
  return { number, size, offset: (number - 1) * size };
}

/** Returns the URL of each page, parsing the request's URL once. */
function linksTo(url: URL, size: number): (number: number) => string {
  const link = new URL(url);
  const made = new Map<number, string>();
  return (number) => {
    const known = made.get(number);
    if (known !== undefined) return known;
    link.searchParams.set('page[number]', String(number));
    link.searchParams.set('page[size]', String(size));
    made.set(number, link.href);
    return link.href;
  };
}

/**
 * Returns the document of a page (spec §2.6): absolute links that keep the other query parameters. A page after the
 * last one is empty, and an empty list has one page.
 */
export function pageDocument(
  url: URL,
  page: Page,
  total: number,
  data: readonly Resource[],
  included?: Document['included'],
  meta: object = {},
) {
  const pages = Math.max(1, Math.ceil(total / page.size));
  const previous = page.number > 1 ? Math.min(page.number - 1, pages) : null;
  const next = page.number < pages ? page.number + 1 : null;
  const linkTo = linksTo(url, page.size);
  const link = (number: number | null) => (number === null ? null : linkTo(number));
  return {
    data,
    ...(included && included.length > 0 ? { included } : {}),
    links: { self: link(page.number), first: link(1), prev: link(previous), next: link(next), last: link(pages) },
    meta: {
      ...meta,
      pagination: {
        'current-page': page.number,
        'page-size': page.size,
        'prev-page': previous,
        'next-page': next,
        'total-pages': pages,
        'total-count': total,
      },
    },
  };
}
