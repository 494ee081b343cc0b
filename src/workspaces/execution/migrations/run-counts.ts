import type { Migration } from '../../../storage/index.ts';

/** How many runs of an organization there are of each status. */
export const runCounts: Migration = {
  name: '0039-run-counts',
  statements: () => [
    `CREATE INDEX run_by_status ON run (organization_id, status, created_at, workspace_id)
     WHERE operation <> 'assessment'`,
  ],
};
