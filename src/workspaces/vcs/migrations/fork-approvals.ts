import type { Migration } from '../../../storage/index.ts';

/** Commits of pull requests from forks whose plan a user has approved for one workspace. */
export const forkApprovals: Migration = {
  name: '0068-fork-approvals',
  compatibleFrom: '0040-well-formed',
  statements: ({ integer, text, tableOptions }) => [
    `CREATE TABLE vcs_fork_approval (
      id ${text} PRIMARY KEY,
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      repository_id ${text} NOT NULL REFERENCES vcs_repository (id) ON DELETE CASCADE,
      pull_number ${integer} NOT NULL,
      commit_id ${text} NOT NULL,
      approved_by ${text} NOT NULL,
      approved_by_name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (workspace_id, repository_id, pull_number, commit_id)
    )${tableOptions}`,
    'CREATE INDEX vcs_fork_approval_by_commit ON vcs_fork_approval (repository_id, pull_number, commit_id)',
  ],
};
