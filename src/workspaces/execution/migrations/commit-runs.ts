import type { Migration } from '../../../storage/index.ts';

/**
 * Adds configuration versions and runs of commits. Several versions may refer to one blob, so a trigger counts the
 * references that end with a row. An earlier program knows neither, so none may run beside this one.
 */
export const commitRuns: Migration = {
  name: '0066-commit-runs',
  statements: ({ dialect, text, integer, blob, tableOptions }) => [
    `ALTER TABLE configuration_version ADD COLUMN ingress_id ${text}`,
    // Origin of a configuration version that came from a repository. attributes is JSON.
    `CREATE TABLE ingress_attributes (
      id ${text} PRIMARY KEY,
      configuration_version_id ${text} NOT NULL UNIQUE REFERENCES configuration_version (id) ON DELETE CASCADE,
      attributes ${text} NOT NULL
    )${tableOptions}`,
    // Whether the settings of the workspace allow the automatic apply, whatever the creator may do.
    `ALTER TABLE run ADD COLUMN applies_by_settings ${integer} NOT NULL DEFAULT 0`,
    "UPDATE run SET applies_by_settings = 1 WHERE trigger_reason = 'triggered' AND finished_at IS NULL",
    // Whether strangers wrote the configuration, so that its runs get no secrets.
    `ALTER TABLE configuration_version ADD COLUMN untrusted ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE run ADD COLUMN untrusted ${integer} NOT NULL DEFAULT 0`,

    // Commits that users asked for, whose configuration versions are being fetched. The id is that of the version. A
    // queue (workspaces/delivery).
    `CREATE TABLE commit_fetch (
      id ${text} PRIMARY KEY REFERENCES configuration_version (id) ON DELETE CASCADE,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      ref ${text},
      created_by_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    // READMEs that were extracted from archives, encrypted with the keys of the archives.
    `CREATE TABLE configuration_readme (
      blob_name ${text} NOT NULL REFERENCES blob (name) ON DELETE CASCADE,
      working_directory ${text} NOT NULL,
      content ${blob} NOT NULL,
      PRIMARY KEY (blob_name, working_directory)
    )${tableOptions}`,
    'CREATE INDEX commit_fetch_due ON commit_fetch (due_at) WHERE due_at IS NOT NULL',

    ...['configuration_version', 'vcs_archive'].flatMap((table) =>
      dialect === 'sqlite'
        ? [
            `CREATE TRIGGER ${table}_delete_release AFTER DELETE ON ${table} FOR EACH ROW
             WHEN OLD.blob_name IS NOT NULL BEGIN ${RELEASE} END`,
          ]
        : [
            `CREATE TRIGGER ${table}_delete_release AFTER DELETE ON ${table} FOR EACH ROW
             WHEN (OLD.blob_name IS NOT NULL) EXECUTE FUNCTION run_output_release()`,
          ],
    ),
  ],
};

/** The statements of `run_output_release`, which 0020 creates on PostgreSQL. */
const RELEASE = `UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0;`;
