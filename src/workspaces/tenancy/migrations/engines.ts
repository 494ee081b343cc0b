import type { Migration } from '../../../storage/index.ts';

/** Adds the default engine of workspaces. */
export const engines: Migration = {
  name: '0021-engines',
  statements: ({ text }) => [`ALTER TABLE organization ADD COLUMN default_engine ${text} NOT NULL DEFAULT 'opentofu'`],
};
