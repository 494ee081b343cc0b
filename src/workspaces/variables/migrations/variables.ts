import type { Migration } from '../../../storage/index.ts';

/** Adds variables and variable sets, reserved tag keys, and retention policies. */
export const variables: Migration = {
  name: '0006-variables',
  statements: ({ text, integer, blob, tableOptions }) => [
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
      UNIQUE (workspace_id, category, key),
      UNIQUE (variable_set_id, category, key)
    )${tableOptions}`,
    'CREATE INDEX variable_of_workspace ON variable (workspace_id, id)',
    'CREATE INDEX variable_of_set ON variable (variable_set_id, id)',

    `CREATE TABLE reserved_tag_key (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      key ${text} NOT NULL,
      disable_overrides ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (organization_id, key)
    )${tableOptions}`,
    // Lists by key and value are also read in index order.
    'CREATE INDEX tag_binding_by_value ON tag_binding (organization_id, key, value, workspace_name, workspace_id)',

    // Policy of a workspace, or of its organization if workspace_id is null. settings is JSON of the client's
    // settings.
    `CREATE TABLE data_retention_policy (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      type ${text} NOT NULL,
      settings ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE UNIQUE INDEX data_retention_policy_of_workspace ON data_retention_policy (workspace_id)
     WHERE workspace_id IS NOT NULL`,
    `CREATE UNIQUE INDEX data_retention_policy_of_organization ON data_retention_policy (organization_id)
     WHERE workspace_id IS NULL`,

    // One row: the position of the sweep, and the lease of the node that sweeps.
    `CREATE TABLE retention_sweep (
      id ${integer} PRIMARY KEY,
      policy_id ${text} NOT NULL,
      workspace_name ${text} NOT NULL,
      holder ${text} NOT NULL,
      held_until ${integer} NOT NULL,
      due_at ${integer} NOT NULL
    )${tableOptions}`,
    `INSERT INTO retention_sweep (id, policy_id, workspace_name, holder, held_until, due_at)
     VALUES (1, '', '', '', 0, 0)`,
  ],
};
