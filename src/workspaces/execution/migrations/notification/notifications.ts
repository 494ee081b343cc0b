import type { Migration } from '../../../../storage/index.ts';

/** Adds notification configurations and the outbox of their messages. */
export const notifications: Migration = {
  name: '0014-notifications',
  statements: ({ text, integer, blob, tableOptions }) => [
    // `url`, `token` and `responses` are encrypted; `target` is the host of the URL. `triggers` is JSON. `origin` is
    // the URL of this API when the configuration was saved. `queued` counts its rows in notification_delivery;
    // `due_at` is the time of the first, or null. The sender holds `claim` until `claimed_until`. `failures` counts
    // consecutive failures.
    `CREATE TABLE notification_configuration (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      destination_type ${text} NOT NULL,
      enabled ${integer} NOT NULL,
      triggers ${text} NOT NULL,
      url ${blob} NOT NULL,
      token ${blob},
      responses ${blob},
      target ${text} NOT NULL,
      origin ${text} NOT NULL,
      version ${integer} NOT NULL,
      queued ${integer} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX notification_configuration_by_workspace ON notification_configuration (workspace_id, id)',
    'CREATE INDEX notification_configuration_by_organization ON notification_configuration (organization_id)',
    'CREATE INDEX notification_configuration_due ON notification_configuration (due_at) WHERE due_at IS NOT NULL',

    // Outbox, ordered by (created_at, place, id). `content` is JSON.
    `CREATE TABLE notification_delivery (
      id ${text} PRIMARY KEY,
      configuration_id ${text} NOT NULL REFERENCES notification_configuration (id) ON DELETE CASCADE,
      place ${integer} NOT NULL,
      content ${text} NOT NULL,
      tries ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    `CREATE INDEX notification_delivery_in_turn
     ON notification_delivery (configuration_id, created_at, place, id)`,
  ],
};
