import type { Migration } from '../../../storage/index.ts';

/** Who sets the installation up, and who is kept out of it for now. */
export const siteAdmins: Migration = {
  name: '0028-site-admins',
  statements: ({ integer }) => [
    `ALTER TABLE account ADD COLUMN site_admin ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE account ADD COLUMN suspended_at ${integer}`,
  ],
};
