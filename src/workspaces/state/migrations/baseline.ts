import { blobTables, type Migration, releaseFunction } from '../../../storage/index.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = ['0007-states', '0025-dependencies', '0050-backups', '0065-organization-blobs', '0081-state-uses'];

/** Creates the tables of states and blobs. */
export const baseline: Migration = {
  name: '0003-state',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: 'f7d0e04b2df244c631f40d55e933f5e8a04f6ffb7c6ad102214052c7b66637a1',
    postgres: '6c5f0223d1da80ccfb8a86a4bf9c21acace95fc1ea4c8bd9cfd3078b6f724de8',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions } = types;
    return [
      ...blobTables(types),
      ...releaseFunction(types),
      // Data parsed from a state. outputs, resources and overview are JSON, compressed and encrypted with the
      // content's key. The column is JSON, compressed and encrypted like the other lists. Null for a state that was
      // parsed before this column existed. The column is JSON, encrypted like the other columns. Null for a state that
      // was parsed before this column existed; a background task fills it in.
      `CREATE TABLE state_content (
      blob_name ${text} PRIMARY KEY REFERENCES blob (name) ON DELETE CASCADE,
      format ${integer},
      encrypted ${integer} NOT NULL,
      engine_version ${text},
      resource_count ${integer} NOT NULL,
      output_count ${integer} NOT NULL,
      outputs ${blob} NOT NULL,
      resources ${blob} NOT NULL,
      overview ${blob} NOT NULL,
      dependencies ${blob},
      summary ${blob}
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
    ];
  },
};
