/** Texts of the pages of a role. */
export const access = 'Access';
export const roles = 'Roles';
export const theRole = (role: string) => `The role ${role}`;
export const aRoleOfAuth = (mount: string) => `A role of auth/${mount}.`;
export const newRole = 'New role';
