/** Texts of the workspace dialog component. */
export const enterAName = 'Enter a name';
export const workspace = 'Workspace';
