/** Texts of the explorer. */
export const explorer = 'Explorer';
export const rowsOf = (organization: string) => `the explorer of ${organization}`;
export const found = (count: string) => `${count} found`;
export const types = {
  workspaces: 'Workspaces',
  tf_versions: 'Engine versions',
  providers: 'Providers',
  modules: 'Modules',
  resource_types: 'Resource types',
};
export const show = 'Show';
export const sortBy = 'Sort by';
export const usualOrder = 'Default order';
export const descending = (field: string) => `${field}, descending`;
export const columns = 'Columns';
export const field = 'Field';
export const operator = 'Condition';
export const value = 'Value';
export const addCondition = 'Add condition';
export const enterAValue = 'Enter a value';
export const csv = 'Download CSV';
export const views = 'Saved views';
export const noViews = 'No saved views yet';
export const saveView = 'Save view';
export const deleteView = 'Delete view';
export const viewName = 'Name';
export const viewHelp = 'All members of the organization see the view.';
export const enterAName = 'Enter a name';
export const saved = (name: string) => `Saved the view ${name}`;
export const deleted = 'Deleted the view';
export const deletes = (name: string) => `Delete the view ${name}?`;
export const deletesForAll = 'The view is deleted for all members of the organization. Workspaces do not change.';
export const nothingMatches = 'Nothing matches';
export const noRowMatches = 'No row that you can see matches all conditions.';
export const showAll = 'Show all';
export const nothingYet = 'Nothing to show yet';
export const whatItIs = 'The explorer lists what your workspaces use. Create a workspace and upload its state.';
export const yes = 'yes';
export const no = 'no';
export const unknown = '–';
/** Labels of fields. */
export const labelOf = (name: string): string => {
  const words = name
    .replace(/^workspace_terraform_version$/, 'engine_version')
    .replace(/^state_version_terraform_version$/, 'version_in_state')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
/** Words of operators. */
export const operators: Readonly<Record<string, string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  does_not_contain: 'does not contain',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  gt: '>',
  lt: '<',
  gteq: '≥',
  lteq: '≤',
  is_before: 'is before',
  is_after: 'is after',
};
