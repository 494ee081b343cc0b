import type { Migration } from '../../../storage/index.ts';

/** Adds the summary of each state for the explorer: its providers, resource types and modules (`reader/uses.ts`). */
export const uses: Migration = {
  name: '0081-state-uses',
  compatibleFrom: '0040-well-formed',
  statements: ({ blob }) => [
    // The column is JSON, encrypted like the other columns. Null for a state that was parsed before this column existed;
    // a background task fills it in.
    `ALTER TABLE state_content ADD COLUMN summary ${blob}`,
  ],
};
