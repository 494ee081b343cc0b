import type { Migration } from '../../../storage/index.ts';

/** What the resources of states depend on. */
export const dependencies: Migration = {
  name: '0025-dependencies',
  statements: ({ blob }) => [
    // JSON, compressed and sealed as the other lists are. Null for a state that was read before this was kept.
    `ALTER TABLE state_content ADD COLUMN dependencies ${blob}`,
  ],
};
