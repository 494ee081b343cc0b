import type { Migration } from '../../storage/index.ts';

/** Makes the index partial: most tokens have no parent, so a login need not write to it. */
export const tokenParents: Migration = {
  name: '0009-token-parents',
  statements: () => [
    'DROP INDEX token_by_parent',
    'CREATE INDEX token_by_parent ON token (parent_id) WHERE parent_id IS NOT NULL',
  ],
};
