/** Texts of the variable component. */
export const texts = {
  // Texts of Value.tsx
  environment: 'environment',
  terraform: 'terraform',
  hcl: (kind: string) => `${kind}, HCL`,
  sensitiveWriteOnly: 'sensitive (write-only)',
  empty: 'empty',
  // Texts of VariableDialog.tsx
  terraformAnInputVariable: 'terraform: an input variable of the configuration',
  environmentAnEnvironmentVariable: 'environment: an environment variable of the run',
  saved: (key: string) => `Saved ${key}`,
  changeVariable: (key = '') => `Change ${key}`,
  newVariable: 'New variable',
  save: 'Save',
  createVariable: 'Create variable',
  enterAName: 'Enter a name',
  enterTheValueAgain: 'Enter the value again: a sensitive variable cannot be renamed without it',
  name: 'Name',
  value: 'Value',
  leaveEmptyToKeep: 'Leave empty to keep the current value. A new name requires the value again.',
  category: 'Category',
  hcl2: 'HCL',
  theValueIsAn: 'The value is an HCL expression, such as a list or a map.',
  sensitive: 'Sensitive',
  runsReceiveTheValue:
    'Runs receive the value, but the console and the API never show it. You cannot turn this off later.',
  sensitiveVariablesStaySensitive:
    'Sensitive variables stay sensitive. Create another variable for a value that may be shown',
  description: 'Description',
};
