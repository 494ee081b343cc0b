/** Texts of the organizations page. */
export const name = 'Name';
export const executionMode = 'Execution mode';
export const email = 'Email';
export const created = 'Created';
export const organizations = 'Organizations';
export const newOrganization = 'new organization';
export const newOrganization2 = 'New organization';
export const organization = 'organization';
export const anOrganizationIsA = 'An organization is a tenant with its own workspaces, teams, tokens and agents.';
export const noOrganizationsYet = 'No organizations yet';
export const anOrganizationContainsProjects =
  'An organization contains projects, workspaces and teams. Create one, or ask its owners for an invitation.';
export const createOrganization = 'Create organization';
export const enterANameAnd = 'Enter a name and an email address';
export const lettersDigitsAndPart = 'Letters, digits, - and _. Part of every URL.';
export const contactAddressOfTheOrganization = 'Contact address of the organization.';
