/** Texts of the access list component. */
export const loading = 'Loading…';
export const loadMore = 'Load more';
