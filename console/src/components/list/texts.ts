/** Texts of the list component. */
export const texts = {
  nextRow: 'next row',
  previousRow: 'previous row',
  select: 'select',
  open: 'open',
};
