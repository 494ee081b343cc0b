import type { Migration } from '../../../storage/index.ts';

/** What was done in each organization in the last two weeks, and by whom. */
export const trail: Migration = {
  name: '0053-audit-trail',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // Of an organization numbers have no gaps, and what has a higher one is not earlier. meta is JSON; the names are those of then.
    `CREATE TABLE audit_trail_event (
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      number ${integer} NOT NULL,
      id ${text} NOT NULL,
      happened_at ${integer} NOT NULL,
      accessor_id ${text} NOT NULL,
      description ${text} NOT NULL,
      auth_type ${text} NOT NULL,
      request_id ${text} NOT NULL,
      resource_id ${text} NOT NULL,
      resource_type ${text} NOT NULL,
      action ${text} NOT NULL,
      meta ${text},
      PRIMARY KEY (organization_id, number)
    )${tableOptions}`,
    'CREATE INDEX audit_trail_event_by_time ON audit_trail_event (organization_id, happened_at, number)',
  ],
};
