import type { Migration } from '../../../storage/index.ts';

/** Which engine workspaces have that do not say for themselves. */
export const engines: Migration = {
  name: '0021-engines',
  statements: ({ text }) => [`ALTER TABLE organization ADD COLUMN default_engine ${text} NOT NULL DEFAULT 'opentofu'`],
};
