import type { Migration } from '../../../storage/index.ts';

/** Migrations of earlier versions that created these tables step by step. */
const FORMER = ['0053-audit-trail'];

/** Creates the tables of the audit trail. */
export const baseline: Migration = {
  name: '0007-audit-trail',
  replaces: FORMER,
  replacedChecksum: {
    sqlite: '60ad456b09d25d1262df2e7817be207b51dce6906923577bb462f59e9abfd907',
    postgres: 'dc82e13b049dc50fc52d4f4cc34380047f351236261fb8108225318642c46c3f',
  },
  statements: (types) => {
    const { text, integer, tableOptions } = types;
    return [
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
    ];
  },
};
