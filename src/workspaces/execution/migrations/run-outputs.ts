import type { Migration } from '../../../storage/index.ts';

/** Adds outputs of plans and applies beside logs. A trigger releases the blob and its key when a row is removed. */
export const runOutputs: Migration = {
  name: '0020-run-outputs',
  statements: ({ dialect, text, integer, tableOptions }) => [
    `CREATE TABLE run_output (
      phase_id ${text} NOT NULL REFERENCES run_phase (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      blob_name ${text} NOT NULL,
      size ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (phase_id, kind)
    )${tableOptions}`,
    ...(dialect === 'sqlite'
      ? [`CREATE TRIGGER run_output_delete_release AFTER DELETE ON run_output FOR EACH ROW BEGIN ${RELEASE} END`]
      : [
          `CREATE FUNCTION run_output_release() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${RELEASE} RETURN NULL; END $$`,
          `CREATE TRIGGER run_output_delete_release AFTER DELETE ON run_output FOR EACH ROW
           EXECUTE FUNCTION run_output_release()`,
        ]),
  ],
};

const RELEASE = `UPDATE blob SET uses = uses - 1 WHERE name = OLD.blob_name;
  DELETE FROM blob WHERE name = OLD.blob_name AND uses <= 0;`;
