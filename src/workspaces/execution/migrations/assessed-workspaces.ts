import type { Migration } from '../../../storage/index.ts';

/** Lets digests find drifted workspaces without reading the rows of all workspaces, whose settings are large. */
export const assessedWorkspaces: Migration = {
  name: '0080-assessed-workspaces',
  compatibleFrom: '0040-well-formed',
  indexes: [
    {
      name: 'workspace_assessed',
      on: 'workspace (organization_id, name, assessment_result_id, id, project_id) WHERE assessment_result_id IS NOT NULL',
    },
  ],
};
