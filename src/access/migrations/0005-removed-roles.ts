import type { Migration } from '../../storage/index.ts';

/** Records removed roles, so that a node with an older state need not read all names to find them. */
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
