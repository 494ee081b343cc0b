/** Texts of the variables page. */
export const texts = {
  // Texts of VariablesPage.tsx
  variables: 'Variables',
  youHaveNoPermission: 'you have no permission to read the variables of this workspace',
  theVariables: 'The variables',
  filterByName: 'Filter by name',
  newVariable: 'New variable…',
  noVariablesYet: 'No variables yet',
  variablesGiveRunsValues:
    'Variables give runs values for the configuration, and environment variables. Create one, for example:',
  name: 'Name',
  value: 'Value',
  category: 'Category',
  source: 'Source',
  thisWorkspace: 'this workspace',
  ofTheOrganization: 'of the organization',
  set: (set: string) => `set ${set}`,
  overriddenByTheVariable: (hiddenBy: string) => `overridden by the variable set ${hiddenBy}, which has priority`,
  actions: 'Actions',
  change: (key: string) => `Change ${key}…`,
  change2: 'Change…',
  deleteText: 'Delete',
  variable: (key: string) => `variable ${key}`,
  runsThatStartFrom: 'Runs that start from now on do not get this variable.',
  // Texts of rows.ts
  aVariableSet: 'a variable set',
};
