/** Texts of the rights component. */
export const texts = {
  runs: 'Runs',
  variables: 'Variables',
  stateVersions: 'State versions',
  policyMocks: 'Policy mocks',
};
