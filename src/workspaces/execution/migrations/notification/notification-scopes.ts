import type { Migration } from '../../../../storage/index.ts';

/**
 * Adds notification configurations of projects, teams and organizations, and their email recipients. SQLite cannot drop
 * NOT NULL from a column, so its tables are created again.
 */
export const notificationScopes: Migration = {
  name: '0078-notification-scopes',
  compatibleFrom: '0040-well-formed',
  statements: (types) => [
    ...(types.dialect === 'postgres' ? POSTGRES : sqlite(types.tableOptions)),
    // At most one of workspace_id, project_id and team_id has a value; without any, it is of the organization.
    `ALTER TABLE notification_configuration ADD COLUMN project_id ${types.text} REFERENCES project (id) ON DELETE CASCADE`,
    `ALTER TABLE notification_configuration ADD COLUMN team_id ${types.text} REFERENCES team (id) ON DELETE CASCADE`,
    // Recipients of emails, as JSON lists: IDs of users, and addresses.
    `ALTER TABLE notification_configuration ADD COLUMN email_users ${types.text} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE notification_configuration ADD COLUMN email_addresses ${types.text} NOT NULL DEFAULT '[]'`,
    'CREATE INDEX notification_configuration_by_project ON notification_configuration (project_id, id) WHERE project_id IS NOT NULL',
    'CREATE INDEX notification_configuration_by_team ON notification_configuration (team_id, id) WHERE team_id IS NOT NULL',
    `CREATE INDEX notification_configuration_of_all ON notification_configuration (organization_id, id)
     WHERE workspace_id IS NULL AND project_id IS NULL AND team_id IS NULL`,
  ],
};

const POSTGRES = ['ALTER TABLE notification_configuration ALTER COLUMN workspace_id DROP NOT NULL'];

const COLUMNS = `id, organization_id, workspace_id, name, destination_type, enabled, triggers, url, token, responses,
  target, origin, version, queued, due_at, claim, claimed_until, failures, created_at, updated_at`;
const MESSAGE_COLUMNS = 'id, configuration_id, place, content, tries, created_at';

/** Copies both tables first: dropping the first one would delete the messages of the second. */
const sqlite = (tableOptions: string): string[] => [
  `CREATE TABLE notification_configuration_new (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    workspace_id TEXT REFERENCES workspace (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    destination_type TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    triggers TEXT NOT NULL,
    url BLOB NOT NULL,
    token BLOB,
    responses BLOB,
    target TEXT NOT NULL,
    origin TEXT NOT NULL,
    version INTEGER NOT NULL,
    queued INTEGER NOT NULL,
    due_at INTEGER,
    claim TEXT,
    claimed_until INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  )${tableOptions}`,
  `INSERT INTO notification_configuration_new (${COLUMNS}) SELECT ${COLUMNS} FROM notification_configuration`,
  `CREATE TABLE notification_delivery_new (
    id TEXT PRIMARY KEY,
    configuration_id TEXT NOT NULL REFERENCES notification_configuration_new (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    content TEXT NOT NULL,
    tries INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  )${tableOptions}`,
  `INSERT INTO notification_delivery_new (${MESSAGE_COLUMNS}) SELECT ${MESSAGE_COLUMNS} FROM notification_delivery`,
  'DROP TABLE notification_delivery',
  'DROP TABLE notification_configuration',
  'ALTER TABLE notification_configuration_new RENAME TO notification_configuration',
  'ALTER TABLE notification_delivery_new RENAME TO notification_delivery',
  'CREATE INDEX notification_configuration_by_workspace ON notification_configuration (workspace_id, id)',
  'CREATE INDEX notification_configuration_by_organization ON notification_configuration (organization_id)',
  'CREATE INDEX notification_configuration_due ON notification_configuration (due_at) WHERE due_at IS NOT NULL',
  `CREATE INDEX notification_delivery_in_turn
   ON notification_delivery (configuration_id, created_at, place, id)`,
];
