import type { Migration } from '../../../storage/index.ts';

/**
 * Adds the inputs of each plan, as JSON (run/apply-check/planned-store.ts). They are compared again before its apply.
 */
export const planned: Migration = {
  name: '0054-planned',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, tableOptions }) => [
    `CREATE TABLE run_planned (
      run_id ${text} NOT NULL PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      facts ${text} NOT NULL
    )${tableOptions}`,
  ],
};
