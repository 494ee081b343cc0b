import type { Migration } from '../../storage/index.ts';

/** What a mount was enabled with and clients look for again. */
export const mountFlags: Migration = {
  name: '0008-mount-flags',
  statements: ({ text }) => [`ALTER TABLE mount ADD COLUMN flags ${text} NOT NULL DEFAULT '{}'`],
};
