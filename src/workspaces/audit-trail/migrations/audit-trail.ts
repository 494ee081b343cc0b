import type { Migration } from '../../../storage/index.ts';

/** Adds the audit trail of each organization: changes of the last two weeks and their actors. */
export const trail: Migration = {
  name: '0053-audit-trail',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // Batch of events, as JSON in order, with the numbers from first_number to last_number. An organization's
    // numbers have no gaps. happened_at is the time of the last event; the next row contains only later ones.
    `CREATE TABLE audit_trail (
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      last_number ${integer} NOT NULL,
      first_number ${integer} NOT NULL,
      happened_at ${integer} NOT NULL,
      events ${text} NOT NULL,
      PRIMARY KEY (organization_id, last_number)
    )${tableOptions}`,
    'CREATE INDEX audit_trail_by_time ON audit_trail (organization_id, happened_at, last_number)',
  ],
};
