/** Texts of the variable component. */
// Texts of Value.tsx
export const environment = 'environment';
export const terraform = 'terraform';
export const hcl = (kind: string) => `${kind}, HCL`;
export const appliesOnly = (kind: string) => `${kind}, not for speculative plans`;
export const sensitiveWriteOnly = 'sensitive (write-only)';
export const empty = 'empty';
// Texts of VariableDialog.tsx
export const terraformAnInputVariable = 'terraform: an input variable of the configuration';
export const environmentAnEnvironmentVariable = 'environment: an environment variable of the run';
export const saved = (key: string) => `Saved ${key}`;
export const changeVariable = (key = '') => `Change ${key}`;
export const newVariable = 'New variable';
export const save = 'Save';
export const createVariable = 'Create variable';
export const enterAName = 'Enter a name';
export const enterTheValueAgain = 'Enter the value again: a sensitive variable cannot be renamed without it';
export const enterTheValueToo = 'Enter the value again: speculative plans cannot get a stored sensitive value';
export const name = 'Name';
export const value = 'Value';
export const leaveEmptyToKeep = 'Leave empty to keep the current value. A new name requires the value again.';
export const category = 'Category';
export const hcl2 = 'HCL';
export const theValueIsAn = 'The value is an HCL expression, such as a list or a map.';
export const sensitive = 'Sensitive';
export const runsReceiveTheValue =
  'Runs receive the value, but the console and the API never show it. You cannot turn this off later.';
export const notForSpeculative = 'Not for speculative plans';
export const plansOfPull =
  'Plans of pull requests do not get the variable, so people who may only push to a branch cannot read it. Runs that can be applied get it.';
export const sensitiveVariablesStaySensitive =
  'Sensitive variables stay sensitive. Create another variable for a value that may be shown';
export const description = 'Description';
