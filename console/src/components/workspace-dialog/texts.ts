/** Texts of the workspace dialog component. */
export const texts = {
  enterAName: 'Enter a name',
  workspace: 'Workspace',
};
