import type { Migration } from '../../storage/index.ts';

export const mountsRolesTokens: Migration = {
  name: '0001-mounts-roles-tokens',
  statements: ({ text, integer, blob, tableOptions }) => [
    `CREATE TABLE mount (
      id ${text} PRIMARY KEY,
      path ${text} NOT NULL UNIQUE,
      type ${text} NOT NULL,
      accessor ${text} NOT NULL UNIQUE,
      version ${integer} NOT NULL,
      config ${text} NOT NULL
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
      certificate ${text}
    )${tableOptions}`,
    'CREATE INDEX token_expiry ON token (expires_at)',
  ],
};
