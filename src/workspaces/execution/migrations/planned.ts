import type { Migration } from '../../../storage/index.ts';

/** What the plan of a run was made of, as JSON (run/apply-check/planned-store.ts): its apply is held against it. */
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
