import type { Migration } from '../../../../storage/index.ts';

/**
 * Adds the quota of emails: the recipients of an organization since the start of its current hour. Adds the work that has
 * failed unexpectedly, which waits so that other work gets its turn.
 */
export const emailUsage: Migration = {
  name: '0088-email-usage',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, tableOptions }) => [
    `CREATE TABLE email_usage (
       organization_id ${text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
       began_at ${integer} NOT NULL,
       recipients ${integer} NOT NULL
     ) ${tableOptions}`,
    `CREATE TABLE postponed_work (
       kind ${text} NOT NULL,
       id ${text} NOT NULL,
       due_at ${integer} NOT NULL,
       PRIMARY KEY (kind, id)
     ) ${tableOptions}`,
  ],
};
