import type { Migration } from '../../../storage/index.ts';

/** Adds the organization of a machine identity, for lists, and its last use. */
export const identityList: Migration = {
  name: '0031-identity-list',
  statements: ({ text, integer }) => [
    `ALTER TABLE machine_identity ADD COLUMN organization_id ${text} REFERENCES organization (id) ON DELETE CASCADE`,
    `ALTER TABLE machine_identity ADD COLUMN last_used_at ${integer}`,
    `UPDATE machine_identity SET organization_id = COALESCE(
       (SELECT t.organization_id FROM team t WHERE t.id = machine_identity.team_id),
       (SELECT p.organization_id FROM agent_pool p WHERE p.id = machine_identity.agent_pool_id))`,
    'CREATE INDEX machine_identity_by_organization ON machine_identity (organization_id, mount, role, id)',
  ],
};
