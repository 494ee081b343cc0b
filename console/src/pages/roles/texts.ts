/** Texts of the roles page. */
export const access = 'Access';
export const roles = 'Roles';
export const rolesOfAuthWhich = (mount: string) =>
  `Roles of auth/${mount}: which certificates each role accepts, and which policies it gives.`;
export const newRole = 'New role';
export const noRolesYet = 'No roles yet';
export const aRoleSaysWhich =
  'A role says which certificates may log in. Without a role no login succeeds. Create one, for example:';
export const name = 'Name';
export const ca = 'CA';
export const names = 'Names';
export const policies = 'Policies';
export const tokenLifetime = 'Token lifetime';
export const defaultOfTheMount = 'default of the mount';
export const expired = ', expired';
export const ago = 'ago';
export const expiresIn = (long: string) => `, expires in ${long}`;
