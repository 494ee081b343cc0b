import type { Migration } from '../../../storage/index.ts';

/** Webhooks of GitHub Apps, and an index for metrics. */
export const vcsWebhooks: Migration = {
  name: '0070-vcs-webhooks',
  compatibleFrom: '0040-well-formed',
  statements: ({ text }) => [
    // The one webhook of an App, for all repositories of its installations.
    `ALTER TABLE vcs_hook ADD COLUMN github_app_id ${text} REFERENCES github_app (id) ON DELETE CASCADE`,
    'CREATE INDEX vcs_hook_by_github_app ON vcs_hook (github_app_id)',
    `CREATE INDEX vcs_event_open ON vcs_event (state) WHERE state <> 'done'`,
  ],
};
