import type { Migration } from '../../../storage/index.ts';

/** Who is told of the runs of a workspace, and what is still to be told. */
export const notifications: Migration = {
  name: '0014-notifications',
  statements: ({ text, integer, blob, tableOptions }) => [
    // url, token and responses are sealed; target is the host of the url. triggers is JSON. origin is where this API was
    // found when the configuration was saved. queued counts its rows in notification_delivery; due_at is when the first of
    // them is to be sent, or null. Whoever sends it has claim until claimed_until. failures: in a row.
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

    // What has happened and is to be told, in the order of (created_at, place, id). content is JSON.
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
