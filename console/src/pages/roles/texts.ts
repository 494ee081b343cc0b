/** Texts of the roles page. */
export const texts = {
  access: 'Access',
  roles: 'Roles',
  rolesOfAuthWhich: (mount: string) =>
    `Roles of auth/${mount}: which certificates each role accepts, and which policies it gives.`,
  newRole: 'New role',
  noRolesYet: 'No roles yet',
  aRoleSaysWhich:
    'A role says which certificates may log in. Without a role no login succeeds. Create one, for example:',
  name: 'Name',
  ca: 'CA',
  names: 'Names',
  policies: 'Policies',
  tokenLifetime: 'Token lifetime',
  defaultOfTheMount: 'default of the mount',
  expired: ', expired',
  ago: 'ago',
  expiresIn: (long: string) => `, expires in ${long}`,
};
