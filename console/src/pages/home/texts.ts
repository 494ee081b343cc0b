/** Texts of the home page. */
export const organizations = 'Organizations';
export const workspaces = 'Workspaces';
