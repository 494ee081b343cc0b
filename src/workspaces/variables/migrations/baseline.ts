import type { Migration } from '../../../storage/index.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = ['0006-variables', '0069-apply-only'];

/** Creates the tables of variables and sets of them. */
export const baseline: Migration = {
  name: '0004-variables',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: 'ffc821ac68e506dd1b6d7781fb9b351992b984b2d542b96928d176c272c9d558',
    postgres: 'd47d8b8e3c3238311064e7631cde3c761d928946ac1116d6527e680d387cbead',
  },
  statements: (types) => {
    const { text, integer, blob, tableOptions } = types;
    return [
      // project_id is set if a project owns the set instead of the organization.
      `CREATE TABLE variable_set (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} REFERENCES project (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      description ${text} NOT NULL,
      global ${integer} NOT NULL,
      priority ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
      'CREATE INDEX variable_set_by_project ON variable_set (project_id, name)',
      'CREATE INDEX variable_set_global ON variable_set (organization_id, name) WHERE global = 1',
      `CREATE TABLE variable_set_workspace (
      variable_set_id ${text} NOT NULL REFERENCES variable_set (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (variable_set_id, workspace_id)
    )${tableOptions}`,
      'CREATE INDEX variable_set_workspace_by_workspace ON variable_set_workspace (workspace_id, variable_set_id)',
      `CREATE TABLE variable_set_project (
      variable_set_id ${text} NOT NULL REFERENCES variable_set (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      PRIMARY KEY (variable_set_id, project_id)
    )${tableOptions}`,
      'CREATE INDEX variable_set_project_by_project ON variable_set_project (project_id, variable_set_id)',
      // A variable of a workspace or of a set. value is always encrypted, even if not sensitive; size is the size of
      // its plaintext in bytes.
      `CREATE TABLE variable (
      id ${text} PRIMARY KEY,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      variable_set_id ${text} REFERENCES variable_set (id) ON DELETE CASCADE,
      key ${text} NOT NULL,
      category ${text} NOT NULL,
      value ${blob} NOT NULL,
      size ${integer} NOT NULL,
      description ${text},
      hcl ${integer} NOT NULL,
      sensitive ${integer} NOT NULL,
      version_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      apply_only ${integer} NOT NULL DEFAULT 0,
      UNIQUE (workspace_id, category, key),
      UNIQUE (variable_set_id, category, key)
    )${tableOptions}`,
      'CREATE INDEX variable_of_workspace ON variable (workspace_id, id)',
      'CREATE INDEX variable_of_set ON variable (variable_set_id, id)',
    ];
  },
};
