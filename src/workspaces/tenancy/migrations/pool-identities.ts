import type { Migration } from '../../../storage/index.ts';

/**
 * Lets a machine identity belong to an agent pool instead of a team. The table is created again, because team_id
 * becomes nullable.
 */
export const poolIdentities: Migration = {
  name: '0018-pool-identities',
  statements: ({ text, integer, tableOptions }) => [
    'CREATE TABLE machine_identity_before AS SELECT id, team_id, mount, role, common_name, created_at FROM machine_identity',
    'DROP TABLE machine_identity',
    // An empty common_name matches any certificate.
    `CREATE TABLE machine_identity (
      id ${text} PRIMARY KEY,
      team_id ${text} REFERENCES team (id) ON DELETE CASCADE,
      agent_pool_id ${text} REFERENCES agent_pool (id) ON DELETE CASCADE,
      mount ${text} NOT NULL,
      role ${text} NOT NULL,
      common_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (team_id, mount, role, common_name),
      UNIQUE (agent_pool_id, mount, role, common_name),
      CHECK ((team_id IS NULL) <> (agent_pool_id IS NULL))
    )${tableOptions}`,
    `INSERT INTO machine_identity (id, team_id, mount, role, common_name, created_at)
     SELECT id, team_id, mount, role, common_name, created_at FROM machine_identity_before`,
    'DROP TABLE machine_identity_before',
    'CREATE INDEX machine_identity_by_role ON machine_identity (mount, role)',
  ],
};
