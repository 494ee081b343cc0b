import type { Migration } from '../../../storage/index.ts';

/** Webhooks of GitHub Apps and of deleted connections, and an index for metrics. */
export const vcsWebhooks: Migration = {
  name: '0070-vcs-webhooks',
  compatibleFrom: '0040-well-formed',
  statements: ({ blob, integer, text, tableOptions }) => [
    // The one webhook of an App, for all repositories of its installations.
    `ALTER TABLE vcs_hook ADD COLUMN github_app_id ${text} REFERENCES github_app (id) ON DELETE CASCADE`,
    'CREATE INDEX vcs_hook_by_github_app ON vcs_hook (github_app_id)',
    // Webhooks to delete at the provider. The token is that of the deleted connection, encrypted.
    `CREATE TABLE vcs_hook_removal (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      service_provider ${text} NOT NULL,
      api_url ${text} NOT NULL,
      http_url ${text} NOT NULL,
      agent_pool_id ${text},
      credential_kind ${text} NOT NULL,
      token ${blob} NOT NULL,
      provider_id ${text} NOT NULL,
      identifier ${text} NOT NULL,
      provider_hook_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      target ${text} NOT NULL,
      due_at ${integer},
      claim ${text},
      claimed_until ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX vcs_hook_removal_by_organization ON vcs_hook_removal (organization_id)',
    'CREATE INDEX vcs_hook_removal_due ON vcs_hook_removal (due_at) WHERE due_at IS NOT NULL',
    `CREATE INDEX vcs_event_open ON vcs_event (state) WHERE state <> 'done'`,
  ],
};
