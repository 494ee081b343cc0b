import type { ColumnTypes } from '../schema/migration.ts';

/** Tables of blobs and of attempted backups. A blob belongs to at most one workspace or organization. */
export function blobTables({ text, integer, blob, tableOptions }: ColumnTypes): string[] {
  return [
    // Content in the blob store: name is the key in that store; data_key is the content's key, encrypted with the
    // keyring's key of key_version. uses counts the rows that refer to it. A blob without a workspace waits for
    // deletion.
    `CREATE TABLE blob (
      name ${text} PRIMARY KEY,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE SET NULL,
      content_hash ${blob} NOT NULL,
      size ${integer} NOT NULL,
      data_key ${blob} NOT NULL,
      key_version ${integer} NOT NULL,
      uses ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      organization_id ${text} REFERENCES organization (id) ON DELETE SET NULL,
      UNIQUE (workspace_id, content_hash)
    )${tableOptions}`,
    'CREATE INDEX blob_by_key ON blob (key_version, name)',
    'CREATE UNIQUE INDEX blob_by_organization ON blob (organization_id, content_hash)',
    `CREATE TABLE backup_attempt (
      id ${text} PRIMARY KEY,
      scheduled ${integer} NOT NULL,
      destination ${text} NOT NULL,
      started_at ${integer} NOT NULL,
      alive_until ${integer} NOT NULL,
      ended_at ${integer},
      whole ${integer} NOT NULL DEFAULT 0,
      bytes ${integer} NOT NULL DEFAULT 0,
      missing ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX backup_attempt_by_end ON backup_attempt (whole, ended_at)',
    'CREATE INDEX backup_attempt_by_start ON backup_attempt (scheduled, started_at)',
  ];
}

/** Function of PostgreSQL that the triggers of `releasing` call. */
export function releaseFunction({ dialect }: ColumnTypes): string[] {
  if (dialect === 'sqlite') return [];
  return [
    `CREATE FUNCTION run_output_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${RELEASE} RETURN NULL; END $$`,
  ];
}

/**
 * Trigger that releases the blob of a deleted row (`blob_name`), and deletes it if nothing uses it any more.
 * @param condition on the row: `OLD.blob_name IS NOT NULL`
 */
export function releasing({ dialect }: ColumnTypes, table: string, condition = ''): string {
  const isSqlite = dialect === 'sqlite';
  const when = condition && (isSqlite ? `WHEN ${condition}` : `WHEN (${condition})`);
  const body = isSqlite ? `BEGIN ${RELEASE} END` : 'EXECUTE FUNCTION run_output_release()';
  return `CREATE TRIGGER ${table}_delete_release AFTER DELETE ON ${table} FOR EACH ROW ${when} ${body}`;
}

const RELEASE = `UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0;`;
