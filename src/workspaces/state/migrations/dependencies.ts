import type { Migration } from '../../../storage/index.ts';

/** Adds dependencies between the resources of states. */
export const dependencies: Migration = {
  name: '0025-dependencies',
  statements: ({ blob }) => [
    // The column is JSON, compressed and encrypted like the other lists. Null for a state that was parsed before
    // this column existed.
    `ALTER TABLE state_content ADD COLUMN dependencies ${blob}`,
  ],
};
