/** Texts of the variable set page. */
// Texts of GivenTo.tsx
export const addProject = 'Add project…';
export const addWorkspace = 'Add workspace…';
export const availableTo = 'Available to';
export const everyWorkspaceOfTheOrganization = 'Every workspace of the organization.';
export const notAvailableToAny =
  'Not available to any workspace yet. Add a project or a workspace so that its runs get these variables.';
export const projectsAndWorkspacesWith = 'Projects and workspaces with this variable set';
export const name = 'Name';
export const type = 'Type';
export const projectAllItsWorkspaces = 'project: all its workspaces';
export const workspace = 'workspace';
export const actions = 'Actions';
export const addWorkspace2 = 'Add workspace';
export const removed = (name: string) => `${name} removed`;
export const remove = (name: string) => `Remove ${name}`;
export const removing = 'Removing…';
export const remove2 = 'Remove';
export const addProject2 = 'Add project';
export const everyProjectThatYou = 'Every project that you can see has this set';
export const project = 'Project';
// Texts of SetForm.tsx
export const saveSettings = 'Save settings';
export const saved = 'Saved';
export const noChanges = 'No changes';
export const description = 'Description';
export const availableToEveryWorkspace = 'Available to every workspace of the organization';
export const theSelectedProjectsAnd =
  'The selected projects and workspaces are kept, in case you clear this option again.';
export const itBelongsToAProject = 'It belongs to a project';
export const priority = 'Priority';
export const itsValuesOverrideThose = 'Its values override those of workspaces and runs.';
// Texts of SetVariables.tsx
export const variables = 'Variables';
export const newVariable = 'New variable…';
export const theVariablesOfTheSet = 'The variables of the set';
export const noVariablesYetAdd = 'No variables yet. Add the first one.';
export const variablesOfTheSet = 'Variables of the set';
export const value = 'Value';
export const category = 'Category';
export const change = (key: string) => `Change ${key}…`;
export const change2 = 'Change…';
export const deleteText = 'Delete';
export const variable = (key: string) => `variable ${key}`;
export const runsThatStartFrom =
  'Runs that start from now on, in every workspace with this set, do not get this variable.';
// Texts of VariableSetPage.tsx
export const variableSets = 'Variable sets';
export const theVariableSet = 'The variable set';
export const settings = 'Settings';
export const deletion = 'Deletion';
export const thisSetHasPriority = 'This set has priority: its values override those of workspaces and runs.';
export const valuesOfAWorkspace = 'Values of a workspace or a run override those of this set.';
export const everyWorkspaceOfTheOrganization2 = 'every workspace of the organization';
export const and = (workspaces: string, projects: string) => `${workspaces} and ${projects}`;
export const thisAlsoDeletesRuns = (variables: string, workspaces: string) =>
  `This also deletes ${variables}. Runs that start from now on in ${workspaces} do not get these variables.`;
export const set = (name: string) => `set ${name}`;
export const losesThem = (variables: string, workspaces: string) =>
  `This also deletes ${variables}, including sensitive values. Runs of ${workspaces} no longer get them. Deletion cannot be undone.`;
