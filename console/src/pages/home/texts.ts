/** Texts of the home page. */
export const organizations = 'Organizations';
