/** Texts of the variables page. */
// Texts of VariablesPage.tsx
export const variables = 'Variables';
export const youHaveNoPermission = 'you have no permission to read the variables of this workspace';
export const theVariables = 'The variables';
export const filterByName = 'Filter by name';
export const newVariable = 'New variable…';
export const noVariablesYet = 'No variables yet';
export const variablesGiveRunsValues =
  'Variables give runs values for the configuration, and environment variables. Create one, for example:';
export const name = 'Name';
export const value = 'Value';
export const category = 'Category';
export const source = 'Source';
export const thisWorkspace = 'this workspace';
export const ofTheOrganization = 'of the organization';
export const set = (set: string) => `set ${set}`;
export const overriddenByTheVariable = (hiddenBy: string) =>
  `overridden by the variable set ${hiddenBy}, which has priority`;
export const actions = 'Actions';
export const change = (key: string) => `Change ${key}…`;
export const change2 = 'Change…';
export const deleteText = 'Delete';
export const variable = (key: string) => `variable ${key}`;
export const runsThatStartFrom = 'Runs that start from now on do not get this variable.';
// Texts of rows.ts
export const aVariableSet = 'a variable set';
