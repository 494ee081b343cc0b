import type { Migration } from '../../../storage/index.ts';

/** Adds projects, workspaces and their tags. */
export const work: Migration = {
  name: '0002-work',
  statements: ({ text, integer, tableOptions }) => [
    `CREATE TABLE project (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      description ${text},
      workspace_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,

    // Values that are searched, sorted or updated separately have a column; the rest is JSON in settings. version
    // is incremented by every write.
    `CREATE TABLE workspace (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} NOT NULL REFERENCES project (id),
      name ${text} NOT NULL,
      settings ${text} NOT NULL,
      lock_holder_type ${text},
      lock_holder_id ${text},
      lock_reason ${text},
      resource_count ${integer} NOT NULL,
      version ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      latest_change_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,
    'CREATE INDEX workspace_by_project ON workspace (project_id, name)',
    'CREATE INDEX workspace_by_change ON workspace (organization_id, latest_change_at, name)',

    `CREATE TABLE tag (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      instance_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (organization_id, name)
    )${tableOptions}`,

    // The links contain a copy of the workspace's name, so that a list by tag is read in order and stops at the end
    // of its page.
    `CREATE TABLE workspace_tag (
      tag_id ${text} NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
      workspace_name ${text} NOT NULL,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      PRIMARY KEY (tag_id, workspace_name, workspace_id),
      UNIQUE (workspace_id, tag_id)
    )${tableOptions}`,

    `CREATE TABLE tag_binding (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      workspace_name ${text} NOT NULL,
      key ${text} NOT NULL,
      value ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, key)
    )${tableOptions}`,
    'CREATE INDEX tag_binding_by_key ON tag_binding (organization_id, key, workspace_name, workspace_id)',
  ],
};
