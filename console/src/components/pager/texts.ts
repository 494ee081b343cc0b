/** Texts of the pager component. */
export const pages = 'Pages';
export const thisIsTheFirstPage = 'This is the first page';
export const newer = 'Newer';
export const thisIsTheLastPage = 'This is the last page';
export const older = 'Older';
export const previous = 'Previous';
export const next = 'Next';
export const range = (first: string, last: string, total: string) => `${first} to ${last} of ${total}`;
