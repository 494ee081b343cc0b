import type { Migration } from '../../../storage/index.ts';

/** What was done in each organization in the last two weeks, and by whom. */
export const trail: Migration = {
  name: '0053-audit-trail',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // What was stored together, as JSON in order: the events with the numbers from first_number to last_number, of which an
    // organization has one after the other without a gap. happened_at is that of the last; the row after it begins later.
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
