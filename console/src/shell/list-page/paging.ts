/** Items on a page of a list. */
export const PAGE_SIZE = 50;

/** Returns the number of the page in the URL. The first page is 1. */
export const pageIn = (search: { readonly page?: string | undefined }): number =>
  Math.max(1, Number.parseInt(search.page ?? '1', 10) || 1);

/** Returns the query parameters of a page. */
export const pageQuery = (page: number) => ({ 'page[number]': String(page), 'page[size]': String(PAGE_SIZE) });
