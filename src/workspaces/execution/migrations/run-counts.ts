import type { Migration } from '../../../storage/index.ts';

/** Adds an index that counts an organization's runs by status. */
export const runCounts: Migration = {
  name: '0039-run-counts',
  statements: () => [
    `CREATE INDEX run_by_status ON run (organization_id, status, created_at, workspace_id)
     WHERE operation <> 'assessment'`,
  ],
};
