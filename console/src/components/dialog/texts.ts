/** Texts of the dialog component. */
export const cancel = 'Cancel';
