/** Texts of the organizations page. */
export const texts = {
  name: 'Name',
  executionMode: 'Execution mode',
  email: 'Email',
  created: 'Created',
  organizations: 'Organizations',
  newOrganization: 'new organization',
  newOrganization2: 'New organization',
  organization: 'organization',
  anOrganizationIsA: 'An organization is a tenant with its own workspaces, teams, tokens and agents.',
  noOrganizationsYet: 'No organizations yet',
  anOrganizationContainsProjects:
    'An organization contains projects, workspaces and teams. Create one, or ask its owners for an invitation.',
  createOrganization: 'Create organization',
  enterANameAnd: 'Enter a name and an email address',
  lettersDigitsAndPart: 'Letters, digits, - and _. Part of every URL.',
  contactAddressOfTheOrganization: 'Contact address of the organization.',
};
