import type { Migration } from '../../../storage/index.ts';

/**
 * Adds blobs of organizations, which several workspaces share. A blob has at most one owner. An earlier program deletes
 * blobs without a workspace, so none may run beside this one.
 */
export const organizationBlobs: Migration = {
  name: '0065-organization-blobs',
  statements: ({ text }) => [
    `ALTER TABLE blob ADD COLUMN organization_id ${text} REFERENCES organization (id) ON DELETE SET NULL`,
    'CREATE UNIQUE INDEX blob_by_organization ON blob (organization_id, content_hash)',
  ],
};
