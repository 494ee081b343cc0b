/** Texts of the home page. */
export const texts = {
  organizations: 'Organizations',
};
