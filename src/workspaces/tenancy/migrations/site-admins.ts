import type { Migration } from '../../../storage/index.ts';

/** Adds site administrators and suspended users. */
export const siteAdmins: Migration = {
  name: '0028-site-admins',
  statements: ({ integer }) => [
    `ALTER TABLE account ADD COLUMN site_admin ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE account ADD COLUMN suspended_at ${integer}`,
  ],
};
