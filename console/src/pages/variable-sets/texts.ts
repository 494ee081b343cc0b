/** Texts of the variable sets page. */
export const everyWorkspace = 'every workspace';
export const notAvailableYet = 'not available yet';
export const name = 'Name';
export const variables = 'Variables';
export const availableTo = 'Available to';
export const overridesWorkspaces = 'Overrides workspaces';
export const hasPriority = 'has priority';
export const updated = 'Updated';
export const ago = 'ago';
export const variableSets = 'Variable sets';
export const newVariableSet = 'new variable set';
export const aVariableSetContains =
  'A variable set contains variables that several workspaces share. Values of a workspace override those of the set, unless the set has priority.';
export const newVariableSet2 = 'New variable set';
export const filterByName = 'Filter by name';
export const variableSetsOf = (organization: string) => `Variable sets of ${organization}`;
export const noVariableSetsYet = 'No variable sets yet';
export const noVariableSetsWith = 'No variable sets with this name';
export const aVariableSetStores =
  'A variable set stores credentials and values that several workspaces need, in one place. Create one, for example:';
export const createVariableSet = 'Create variable set';
export const enterAName = 'Enter a name';
export const description = 'Description';
export const availableToEveryWorkspace = 'Available to every workspace of the organization';
export const priority = 'Priority';
export const itsValuesOverrideThose = 'Its values override those of workspaces and runs.';
