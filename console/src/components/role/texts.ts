/** Texts of the role component. */
// Texts of DeleteRole.tsx
export const deleted = (role: string) => `Deleted ${role}`;
export const deletion = 'Deletion';
export const deleteTheRole = 'Delete the role…';
export const deleteTheRole2 = (role: string) => `Delete the role ${role}`;
export const deleteText = 'Delete';
export const typeTheNameToConfirm = 'Type the name to confirm';
export const clientsCanNoLonger =
  'Clients can no longer log in with this role. Issued tokens stay valid until they expire.';
export const nameOfTheRole = 'Name of the role';
export const typeToConfirm = (role: string) => `Type ${role} to confirm.`;
// Texts of RoleForm.tsx
export const saved = (name: string) => `Saved ${name}`;
export const enterAName = 'Enter a name';
export const createRole = 'Create role';
export const save = 'Save';
export const noChanges = 'No changes';
export const requiresUpdateOn = (place: string) => `Requires update on ${place}`;
export const saved2 = 'Saved';
export const name = 'Name';
export const youHaveNoPermission = 'You have no permission to change this';
// Texts of RoleList.tsx
export const theRoles = 'The roles';
export const filterByName = 'Filter by name';
export const partOfAName = 'Part of a name';
export const role = 'role';
export const ofText = (count: string) => ` of ${count}`;
export const roles = 'Roles';
export const noPermissionToRead = 'no permission to read';
// Texts of fields.ts
export const seconds0UsesThe = 'Seconds. 0 uses the default of the mount.';
export const seconds0UsesThe2 = 'Seconds. 0 uses the maximum of the mount.';
export const ipRangesCidrFrom = 'IP ranges (CIDR) from which the token may be used.';
