import type { ColumnTypes } from '../../storage/index.ts';

/** Table of the counters (tally.ts). Subjects are organizations, projects, tags and teams. */
export function tallyTable({ text, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `CREATE TABLE tally (
      subject ${text} NOT NULL,
      amount ${integer} NOT NULL DEFAULT 0,
      changes ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX tally_by_subject ON tally (subject, amount, changes)',
  ];
}
