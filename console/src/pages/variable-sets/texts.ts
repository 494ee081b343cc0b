/** Texts of the variable sets page. */
export const texts = {
  everyWorkspace: 'every workspace',
  notAvailableYet: 'not available yet',
  name: 'Name',
  variables: 'Variables',
  availableTo: 'Available to',
  overridesWorkspaces: 'Overrides workspaces',
  hasPriority: 'has priority',
  updated: 'Updated',
  ago: 'ago',
  variableSets: 'Variable sets',
  newVariableSet: 'new variable set',
  aVariableSetContains:
    'A variable set contains variables that several workspaces share. Values of a workspace override those of the set, unless the set has priority.',
  newVariableSet2: 'New variable set',
  filterByName: 'Filter by name',
  variableSetsOf: (organization: string) => `Variable sets of ${organization}`,
  noVariableSetsYet: 'No variable sets yet',
  noVariableSetsWith: 'No variable sets with this name',
  aVariableSetStores:
    'A variable set stores credentials and values that several workspaces need, in one place. Create one, for example:',
  createVariableSet: 'Create variable set',
  enterAName: 'Enter a name',
  description: 'Description',
  availableToEveryWorkspace: 'Available to every workspace of the organization',
  priority: 'Priority',
  itsValuesOverrideThose: 'Its values override those of workspaces and runs.',
};
