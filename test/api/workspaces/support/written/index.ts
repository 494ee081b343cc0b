import { joined } from '../joined.ts';
import { EXECUTION_WRITTEN } from './execution.ts';
import { TENANCY_WRITTEN } from './tenancy.ts';
import { VARIABLES_WRITTEN } from './variables.ts';
import { VCS_WRITTEN } from './vcs.ts';
import { WORKSPACE_WRITTEN } from './workspace.ts';
import type { Written } from './written.ts';

export type { Written } from './written.ts';

/**
 * Every route that takes attributes, with their place in responses. The test fails for a new route without an entry.
 */
export const WRITTEN = joined<Written>(
  TENANCY_WRITTEN,
  WORKSPACE_WRITTEN,
  VARIABLES_WRITTEN,
  VCS_WRITTEN,
  EXECUTION_WRITTEN,
);

/** Routes whose attributes are no settings that stay, and why. */
export const NO_SETTINGS: Readonly<Record<string, string>> = {
  'PATCH /task-results/:task_result_id/callback': 'what a service says: test of task stages',
  'PATCH /workspaces/:workspace_id/relationships/ssh-key': 'the id of a key: test §4.8',
  'PATCH /passkeys/:passkey_id': 'the name of a passkey, which needs an authenticator: test of passkeys',
  'POST /invitation-links/actions/accept': 'the secret of a link: test of invitations',
  'POST /invitation-links/actions/decline': 'the secret of a link: the same',
  'POST /agents/:agent_id/forwarded-requests/:request_id/actions/respond': 'a piece of a response',
  'POST /applies/:id/actions/append-log': 'a piece of a log',
  'PATCH /admin/teams/:team_id/scim-group-mapping': 'whether a link is paused: test of groups of a directory',
  'POST /admin/teams/:team_id/scim-group-mapping': 'a group of the directory: the same',
  'POST /jobs/:job_id/actions/finish': 'what came of a job: test of jobs',
  'POST /plans/:id/actions/append-log': 'a piece of a log',
  'POST /runs/:run_id/actions/advance': 'a report',
  'POST /teams/:team_id/pipeline-explanation': 'a token, which is held against identities',
  'POST /workspaces/:workspace_id/actions/lock': 'a reason: test §4.7',
  'POST /workspaces/:workspace_id/actions/approve-fork': 'a commit: test of forks',
  'POST /organizations/:organization_name/vcs/preview': 'settings that are not saved: test of explanations',
  'POST /workspaces/:workspace_id/vcs-preview': 'settings that are not saved: test of explanations',
  'POST /workspaces/:workspace_id/state-versions': 'a state, with what is to be checked of it',
};
