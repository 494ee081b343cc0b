/** Texts of the changes component. */
export const texts = {
  noChanges: 'no changes',
};
