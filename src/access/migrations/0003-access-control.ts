import type { Migration } from '../../storage/index.ts';

/** Token trees, policies, mounts, identities and wrapped responses. */
export const accessControl: Migration = {
  name: '0003-access-control',
  statements: ({ text, integer, blob, tableOptions }) => [
    // Change counters of data that is cached in memory, by topic. A query for cached data also reads the counter.
    `CREATE TABLE change_counter (
      topic ${text} PRIMARY KEY,
      version ${integer} NOT NULL
    )${tableOptions}`,
    "INSERT INTO change_counter (topic, version) VALUES ('mounts', 0), ('policies', 0)",

    // A disabled mount keeps its row until its data is removed, under a path that no request can have.
    `ALTER TABLE mount ADD COLUMN description ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE mount ADD COLUMN tuning ${text} NOT NULL DEFAULT '{}'`,
    `ALTER TABLE mount ADD COLUMN removed_at ${integer}`,
    // The path before the last move.
    `ALTER TABLE mount ADD COLUMN moved_from ${text}`,

    `ALTER TABLE token ADD COLUMN parent_id ${text}`,
    `ALTER TABLE token ADD COLUMN entity_id ${text}`,
    `ALTER TABLE token ADD COLUMN role ${text}`,
    `ALTER TABLE token ADD COLUMN renewable ${integer} NOT NULL DEFAULT 1`,
    'CREATE INDEX token_by_parent ON token (parent_id)',
    'CREATE INDEX token_by_path ON token (path, id)',
    'CREATE INDEX token_by_mount ON token (mount_id, id)',
    // Removed tokens with remaining children. The children are invalid, and the sweep removes them.
    `CREATE TABLE removed_parent (
      id ${text} PRIMARY KEY
    )${tableOptions}`,
    `CREATE TABLE token_role (
      name ${text} PRIMARY KEY,
      settings ${text} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE policy (
      name ${text} PRIMARY KEY,
      text ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE entity (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      metadata ${text} NOT NULL,
      disabled ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE TABLE entity_alias (
      id ${text} PRIMARY KEY,
      entity_id ${text} NOT NULL REFERENCES entity (id),
      mount_id ${text} NOT NULL,
      name ${text} NOT NULL,
      issuer ${text} NOT NULL,
      metadata ${text},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    // Two issuers may give the same name to two machines.
    'CREATE UNIQUE INDEX entity_alias_of_mount ON entity_alias (mount_id, name, issuer)',
    'CREATE INDEX entity_alias_by_entity ON entity_alias (entity_id)',

    // The encrypted response under a wrapping token. It is removed with the token.
    `CREATE TABLE wrapped_answer (
      token_id ${text} PRIMARY KEY,
      answer ${blob} NOT NULL,
      creation_path ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX wrapped_answer_expiry ON wrapped_answer (expires_at)',
  ],
};
