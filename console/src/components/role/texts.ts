/** Texts of the role component. */
export const texts = {
  // Texts of DeleteRole.tsx
  deleted: (role: string) => `Deleted ${role}`,
  deletion: 'Deletion',
  deleteTheRole: 'Delete the role…',
  deleteTheRole2: (role: string) => `Delete the role ${role}`,
  deleteText: 'Delete',
  typeTheNameToConfirm: 'Type the name to confirm',
  clientsCanNoLonger: 'Clients can no longer log in with this role. Issued tokens stay valid until they expire.',
  nameOfTheRole: 'Name of the role',
  typeToConfirm: (role: string) => `Type ${role} to confirm.`,
  // Texts of RoleForm.tsx
  saved: (name: string) => `Saved ${name}`,
  enterAName: 'Enter a name',
  createRole: 'Create role',
  save: 'Save',
  noChanges: 'No changes',
  requiresUpdateOn: (place: string) => `Requires update on ${place}`,
  saved2: 'Saved',
  name: 'Name',
  youHaveNoPermission: 'You have no permission to change this',
  // Texts of RoleList.tsx
  theRoles: 'The roles',
  filterByName: 'Filter by name',
  partOfAName: 'Part of a name',
  role: 'role',
  ofText: (count: string) => ` of ${count}`,
  roles: 'Roles',
  noPermissionToRead: 'no permission to read',
  // Texts of fields.ts
  seconds0UsesThe: 'Seconds. 0 uses the default of the mount.',
  seconds0UsesThe2: 'Seconds. 0 uses the maximum of the mount.',
  ipRangesCidrFrom: 'IP ranges (CIDR) from which the token may be used.',
};
