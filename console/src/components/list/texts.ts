/** Texts of the list component. */
export const nextRow = 'next row';
export const previousRow = 'previous row';
export const select = 'select';
export const open = 'open';
