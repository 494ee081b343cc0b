import type { Migration } from '../../storage/index.ts';

/** Most tokens have no parent: a login need not write that into an index. */
export const tokenParents: Migration = {
  name: '0009-token-parents',
  statements: () => [
    'DROP INDEX token_by_parent',
    'CREATE INDEX token_by_parent ON token (parent_id) WHERE parent_id IS NOT NULL',
  ],
};
