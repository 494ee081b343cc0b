import type { Migration } from '../../storage/index.ts';

/** Flags of a mount that are only stored and returned to clients. */
export const mountFlags: Migration = {
  name: '0008-mount-flags',
  statements: ({ text }) => [`ALTER TABLE mount ADD COLUMN flags ${text} NOT NULL DEFAULT '{}'`],
};
