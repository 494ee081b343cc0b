/** Texts of the pager component. */
export const texts = {
  pages: 'Pages',
  thisIsTheFirstPage: 'This is the first page',
  newer: 'Newer',
  thisIsTheLastPage: 'This is the last page',
  older: 'Older',
  range: (first: string, last: string, total: string) => `${first} to ${last} of ${total}`,
};
