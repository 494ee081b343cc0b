import type { Migration } from '../../../storage/index.ts';

/** Adds state versions and their content. */
export const states: Migration = {
  name: '0007-states',
  statements: ({ text, integer, blob, tableOptions }) => [
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
      UNIQUE (workspace_id, content_hash)
    )${tableOptions}`,
    'CREATE INDEX blob_by_key ON blob (key_version, name)',

    // Data parsed from a state. outputs, resources and overview are JSON, compressed and encrypted with the
    // content's key.
    `CREATE TABLE state_content (
      blob_name ${text} PRIMARY KEY REFERENCES blob (name) ON DELETE CASCADE,
      format ${integer},
      encrypted ${integer} NOT NULL,
      engine_version ${text},
      resource_count ${integer} NOT NULL,
      output_count ${integer} NOT NULL,
      outputs ${blob} NOT NULL,
      resources ${blob} NOT NULL,
      overview ${blob} NOT NULL
    )${tableOptions}`,

    // position counts the versions of a workspace. creator is JSON: the actor and the certificate. given_outputs is
    // the client's list of outputs, encrypted by the keyring, until the state is uploaded.
    `CREATE TABLE state_version (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      status ${text} NOT NULL,
      intermediate ${integer} NOT NULL,
      serial ${integer} NOT NULL,
      lineage ${text},
      md5 ${text} NOT NULL,
      forced ${integer} NOT NULL,
      size ${integer} NOT NULL,
      creator ${text} NOT NULL,
      run_id ${text},
      rollback_of ${text},
      state_blob ${text},
      json_blob ${text},
      given_outputs ${blob},
      created_at ${integer} NOT NULL,
      deleted_at ${integer},
      UNIQUE (workspace_id, position)
    )${tableOptions}`,
    'CREATE INDEX state_version_by_status ON state_version (workspace_id, status, position)',
  ],
};
