/** Texts of the menu component. */
export const texts = {
  selected: 'selected',
};
