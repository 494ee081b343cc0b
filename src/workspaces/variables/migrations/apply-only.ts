import type { Migration } from '../../../storage/index.ts';

/** Adds variables that speculative plans do not get. An earlier program would give them out, so none may run beside. */
export const applyOnly: Migration = {
  name: '0069-apply-only',
  statements: ({ integer }) => [`ALTER TABLE variable ADD COLUMN apply_only ${integer} NOT NULL DEFAULT 0`],
};
