/** Texts of the menu component. */
export const selected = 'selected';
