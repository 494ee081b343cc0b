/** Texts of the dialog component. */
export const texts = {
  cancel: 'Cancel',
};
