import type { Migration } from '../../../storage/index.ts';

/**
 * Reports of results at providers. A report is a row of a queue (workspaces/delivery): everything that the provider shows
 * for a commit, or the comment of a pull request. Attempts compute it from events, verdicts and runs.
 */
export const vcsReports: Migration = {
  name: '0067-vcs-reports',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, tableOptions }) => [
    // kind: commit or pull. subject: commit, or number of the pull request. event_id: newest event with a commit of the
    // pull request. marks: number of requests for an attempt, so that one that comes during an attempt is not lost.
    `CREATE TABLE vcs_report (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      subject ${text} NOT NULL,
      event_id ${text},
      closed ${integer} NOT NULL DEFAULT 0,
      marks ${integer} NOT NULL DEFAULT 0,
      problem ${text},
      sent_at ${integer},
      changed_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      UNIQUE (repository_id, kind, subject)
    )${tableOptions}`,
    'CREATE INDEX vcs_report_by_organization ON vcs_report (organization_id)',
    'CREATE INDEX vcs_report_due ON vcs_report (due_at) WHERE due_at IS NOT NULL',
    'CREATE INDEX vcs_report_by_time ON vcs_report (changed_at)',

    // A status, check or comment that the provider shows. kind: status, check or comment. sent: SHA-256 of it; NULL while it is being created.
    // provider_id: the provider's id of the check or comment.
    `CREATE TABLE vcs_report_item (
      report_id ${text} NOT NULL REFERENCES vcs_report (id) ON DELETE CASCADE,
      kind ${text} NOT NULL,
      context ${text} NOT NULL,
      state ${text} NOT NULL,
      sent ${text},
      provider_id ${text},
      sent_at ${integer} NOT NULL,
      PRIMARY KEY (report_id, kind, context)
    )${tableOptions}`,
    'CREATE INDEX vcs_event_by_commit ON vcs_event (repository_id, after_id)',
  ],
};
