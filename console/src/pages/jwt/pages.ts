/** Roles and configuration of JWT logins, as one chunk: the pages are small, and compress better together. */
export { ConfigurationPage } from './ConfigurationPage.tsx';
export { InspectPage } from './InspectPage.tsx';
export { NewRolePage, RolePage } from './RolePage.tsx';
export { RolesPage } from './RolesPage.tsx';
