import type { Migration } from '../../storage/index.ts';

/** Groups, policies of entities, and records of merges. */
export const identityGroups: Migration = {
  name: '0007-identity-groups',
  statements: ({ text, integer, tableOptions }) => [
    "INSERT INTO change_counter (topic, version) VALUES ('identity', 0)",

    `ALTER TABLE entity ADD COLUMN policies ${text} NOT NULL DEFAULT '[]'`,
    // An entity that was merged into another one. Its tokens belong to that one afterwards.
    `CREATE TABLE merged_entity (
      id ${text} PRIMARY KEY,
      entity_id ${text} NOT NULL REFERENCES entity (id)
    )${tableOptions}`,
    'CREATE INDEX merged_entity_by_entity ON merged_entity (entity_id, id)',

    `ALTER TABLE entity_alias ADD COLUMN custom_metadata ${text}`,
    // Ids of the alias's former entities, as JSON.
    `ALTER TABLE entity_alias ADD COLUMN merged_from ${text}`,
    'DROP INDEX entity_alias_by_entity',
    'CREATE UNIQUE INDEX entity_alias_of_entity ON entity_alias (entity_id, mount_id)',

    `CREATE TABLE identity_group (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      type ${text} NOT NULL,
      metadata ${text} NOT NULL,
      policies ${text} NOT NULL,
      entities ${integer} NOT NULL,
      modify_index ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE TABLE group_entity (
      entity_id ${text} NOT NULL REFERENCES entity (id),
      group_id ${text} NOT NULL REFERENCES identity_group (id),
      PRIMARY KEY (entity_id, group_id)
    )${tableOptions}`,
    'CREATE INDEX group_entity_by_group ON group_entity (group_id, entity_id)',
    `CREATE TABLE group_member (
      member_id ${text} NOT NULL REFERENCES identity_group (id),
      group_id ${text} NOT NULL REFERENCES identity_group (id),
      PRIMARY KEY (member_id, group_id)
    )${tableOptions}`,
    'CREATE INDEX group_member_by_group ON group_member (group_id, member_id)',
    `CREATE TABLE group_alias (
      id ${text} PRIMARY KEY,
      group_id ${text} NOT NULL UNIQUE REFERENCES identity_group (id),
      mount_id ${text} NOT NULL,
      name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE UNIQUE INDEX group_alias_of_mount ON group_alias (mount_id, name)',
  ],
};
