import type { Migration } from '../../../storage/index.ts';

/** Adds the providers and modules of runs and workspaces, and the saved views of the explorer. */
export const packages: Migration = {
  name: '0083-explorer',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // Versions of providers and modules that `init` selected, as JSON, until the run is deleted.
    `CREATE TABLE run_packages (
      run_id ${text} PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      packages ${text} NOT NULL
    )${tableOptions}`,
    // Packages of the last run of a workspace that was applied or found nothing to change, with its end; null if unknown.
    // applied_at: end of the last applied run.
    `CREATE TABLE workspace_packages (
      workspace_id ${text} PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
      packages ${text},
      recorded_at ${integer},
      applied_at ${integer}
    )${tableOptions}`,
    `INSERT INTO workspace_packages (workspace_id, applied_at)
     SELECT workspace_id, MAX(finished_at) FROM run WHERE status = 'applied' GROUP BY workspace_id`,
    // Saved queries of the explorer. query is JSON: filter, fields and sort.
    `CREATE TABLE explorer_view (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      query_type ${text} NOT NULL,
      query ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX explorer_view_by_organization ON explorer_view (organization_id, name, id)',
  ],
};
