import type { Migration } from '../../storage/index.ts';
import { policyUseTriggers } from './policy-use-triggers.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = [
  '0001-mounts-roles-tokens',
  '0002-crls',
  '0003-access-control',
  '0004-intermediates',
  '0005-removed-roles',
  '0006-policy-fields',
  '0007-identity-groups',
  '0008-mount-flags',
  '0009-token-parents',
  '0011-policy-uses',
];

/** Creates the tables of the access API. */
export const baseline: Migration = {
  name: '0001-access',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: '28191760c1322d6be8817c9e5f18608d08aca566246bc4836fafa8664919510b',
    postgres: '70cacc5df30c0f9738bf060e611f8e371fb399949fce123d8143a50cc6f02bef',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions } = types;
    return [
      // A disabled mount keeps its row until its data is removed, under a path that no request can have. The path
      // before the last move. Change counter, read with the mount at every login.
      `CREATE TABLE mount (
      id ${text} PRIMARY KEY,
      path ${text} NOT NULL UNIQUE,
      type ${text} NOT NULL,
      accessor ${text} NOT NULL UNIQUE,
      version ${integer} NOT NULL,
      config ${text} NOT NULL,
      description ${text} NOT NULL DEFAULT '',
      tuning ${text} NOT NULL DEFAULT '{}',
      removed_at ${integer},
      moved_from ${text},
      intermediates ${integer} NOT NULL DEFAULT 0,
      flags ${text} NOT NULL DEFAULT '{}'
    )${tableOptions}`,
      `CREATE TABLE role (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      name ${text} NOT NULL,
      version ${integer} NOT NULL,
      settings ${text} NOT NULL,
      PRIMARY KEY (mount_id, name)
    )${tableOptions}`,
      'CREATE INDEX role_by_version ON role (mount_id, version)',
      `CREATE TABLE token (
      id ${text} PRIMARY KEY,
      secret_hash ${blob} NOT NULL,
      accessor ${text} NOT NULL UNIQUE,
      path ${text} NOT NULL,
      display_name ${text} NOT NULL,
      policies ${text} NOT NULL,
      metadata ${text},
      bound_cidrs ${text} NOT NULL,
      orphan ${integer} NOT NULL,
      period ${integer} NOT NULL,
      explicit_max_ttl ${integer} NOT NULL,
      uses_left ${integer},
      creation_ttl ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      renewed_at ${integer},
      expires_at ${integer},
      mount_id ${text},
      certificate ${text},
      parent_id ${text},
      entity_id ${text},
      role ${text},
      renewable ${integer} NOT NULL DEFAULT 1
    )${tableOptions}`,
      'CREATE INDEX token_expiry ON token (expires_at)',
      'CREATE INDEX token_by_path ON token (path, id)',
      'CREATE INDEX token_by_mount ON token (mount_id, id)',
      'CREATE INDEX token_by_parent ON token (parent_id) WHERE parent_id IS NOT NULL',
      `CREATE TABLE crl (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      name ${text} NOT NULL,
      version ${integer} NOT NULL,
      settings ${text} NOT NULL,
      url ${text},
      content_id ${text} NOT NULL,
      fetched_at ${integer} NOT NULL,
      etag ${text},
      last_modified ${text},
      failures ${integer} NOT NULL,
      last_error ${text},
      next_fetch_at ${integer},
      PRIMARY KEY (mount_id, name)
    )${tableOptions}`,
      `CREATE TABLE crl_chunk (
      content_id ${text} NOT NULL,
      number ${integer} NOT NULL,
      bytes ${blob} NOT NULL,
      PRIMARY KEY (content_id, number)
    )${tableOptions}`,
      // Change counters of data that is cached in memory, by topic. A query for cached data also reads the counter.
      `CREATE TABLE change_counter (
      topic ${text} PRIMARY KEY,
      version ${integer} NOT NULL
    )${tableOptions}`,
      // Removed tokens with remaining children. The children are invalid, and the sweep removes them.
      `CREATE TABLE removed_parent (
      id ${text} PRIMARY KEY
    )${tableOptions}`,
      `CREATE TABLE token_role (
      name ${text} PRIMARY KEY,
      settings ${text} NOT NULL
    )${tableOptions}`,
      // Number of writes, which check-and-set compares. Characters that values of templates may contain.
      `CREATE TABLE policy (
      name ${text} PRIMARY KEY,
      text ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      version ${integer} NOT NULL DEFAULT 1,
      cas_required ${integer} NOT NULL DEFAULT 0,
      wildcards ${integer} NOT NULL DEFAULT 0,
      slashes ${integer} NOT NULL DEFAULT 0,
      expires_at ${integer}
    )${tableOptions}`,
      'CREATE INDEX policy_expiry ON policy (expires_at)',
      `CREATE TABLE entity (
      id ${text} PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      metadata ${text} NOT NULL,
      disabled ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      policies ${text} NOT NULL DEFAULT '[]'
    )${tableOptions}`,
      // Ids of the alias's former entities, as JSON.
      `CREATE TABLE entity_alias (
      id ${text} PRIMARY KEY,
      entity_id ${text} NOT NULL REFERENCES entity (id),
      mount_id ${text} NOT NULL,
      name ${text} NOT NULL,
      issuer ${text} NOT NULL,
      metadata ${text},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      custom_metadata ${text},
      merged_from ${text}
    )${tableOptions}`,
      // Two issuers may give the same name to two machines.
      'CREATE UNIQUE INDEX entity_alias_of_mount ON entity_alias (mount_id, name, issuer)',
      'CREATE UNIQUE INDEX entity_alias_of_entity ON entity_alias (entity_id, mount_id)',
      // The encrypted response under a wrapping token. It is removed with the token.
      `CREATE TABLE wrapped_answer (
      token_id ${text} PRIMARY KEY,
      answer ${blob} NOT NULL,
      creation_path ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
      'CREATE INDEX wrapped_answer_expiry ON wrapped_answer (expires_at)',
      `CREATE TABLE intermediate (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      fingerprint ${text} NOT NULL,
      version ${integer} NOT NULL,
      certificate ${blob} NOT NULL,
      expires_at ${integer} NOT NULL,
      used_at ${integer} NOT NULL,
      PRIMARY KEY (mount_id, fingerprint)
    )${tableOptions}`,
      `CREATE TABLE removed_role (
      mount_id ${text} NOT NULL REFERENCES mount (id),
      version ${integer} NOT NULL,
      name ${text} NOT NULL,
      PRIMARY KEY (mount_id, version)
    )${tableOptions}`,
      `CREATE TABLE program_version (
      version ${text} PRIMARY KEY,
      installed_at ${integer} NOT NULL
    )${tableOptions}`,
      // An entity that was merged into another one. Its tokens belong to that one afterwards.
      `CREATE TABLE merged_entity (
      id ${text} PRIMARY KEY,
      entity_id ${text} NOT NULL REFERENCES entity (id)
    )${tableOptions}`,
      'CREATE INDEX merged_entity_by_entity ON merged_entity (entity_id, id)',
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
      `CREATE TABLE policy_use (
      policy ${text} NOT NULL,
      kind ${text} NOT NULL,
      scope ${text} NOT NULL,
      holder ${text} NOT NULL,
      PRIMARY KEY (policy, kind, scope, holder)
    )${tableOptions}`,
      'CREATE INDEX policy_use_by_holder ON policy_use (kind, scope, holder)',
      `INSERT INTO change_counter (topic, version) VALUES ('mounts', 0), ('policies', 0), ('identity', 0)`,
      ...policyUseTriggers(types),
    ];
  },
};
