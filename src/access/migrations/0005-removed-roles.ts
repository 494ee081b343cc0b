import type { Migration } from '../../storage/index.ts';

/** So that a node that knows the roles of yesterday need not read all names to learn which are gone. */
export const removedRoles: Migration = {
  name: '0005-removed-roles',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE removed_role (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      version ${integer} NOT NULL,
      name ${text} NOT NULL,
      PRIMARY KEY (mount_id, version)
    )${tableOptions}`,
  ],
};
