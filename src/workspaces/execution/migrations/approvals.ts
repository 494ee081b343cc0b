import type { Migration } from '../../../storage/index.ts';

/**
 * Adds approval rules of projects and workspaces, and the approvals of runs. An earlier program does not know the
 * rules, so create the first one after all nodes are upgraded.
 */
export const approvals: Migration = {
  name: '0076-approvals',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, integer, tableOptions }) => [
    // Either project_id or workspace_id is set. operations: all or destroy.
    `CREATE TABLE approval_rule (
      id ${text} PRIMARY KEY,
      organization_id ${text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
      project_id ${text} REFERENCES project (id) ON DELETE CASCADE,
      workspace_id ${text} REFERENCES workspace (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      required ${integer} NOT NULL,
      requester_may_approve ${integer} NOT NULL,
      operations ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX approval_rule_by_project ON approval_rule (project_id) WHERE project_id IS NOT NULL',
    'CREATE INDEX approval_rule_by_workspace ON approval_rule (workspace_id) WHERE workspace_id IS NOT NULL',
    // team_id refers to no row, so that a rule survives its team and refuses the apply. team_name names it then.
    `CREATE TABLE approval_rule_team (
      rule_id ${text} NOT NULL REFERENCES approval_rule (id) ON DELETE CASCADE,
      team_id ${text} NOT NULL,
      team_name ${text} NOT NULL,
      PRIMARY KEY (rule_id, team_id)
    )${tableOptions}`,

    // user_id refers to no row, so that the history of a run survives its users. times: how often they approved.
    `CREATE TABLE run_approval (
      id ${text} PRIMARY KEY,
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      user_id ${text} NOT NULL,
      user_name ${text} NOT NULL,
      comment_id ${text},
      times ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      revoked_at ${integer},
      UNIQUE (run_id, user_id)
    )${tableOptions}`,
  ],
};

/**
 * Adds the requesters of runs: users whose approval does not count. Settings from before have no known author, and runs
 * that started before have only their creator.
 */
export const requesters: Migration = {
  name: '0084-requesters',
  compatibleFrom: '0040-well-formed',
  statements: ({ text, tableOptions }) => [
    // Until the run is over. part: what they did. type: users, teams, names (user names at a provider) or
    // organization (the account of its token). members: IDs of
    // the users who were in the team at the start, as JSON; null for no team, and for a team with too many members.
    `CREATE TABLE run_requester (
      run_id ${text} NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      part ${text} NOT NULL,
      type ${text} NOT NULL,
      id ${text} NOT NULL,
      members ${text},
      PRIMARY KEY (run_id, part, type, id)
    )${tableOptions}`,

    // Users or teams who changed settings by which the server starts runs. by_id refers to no row, so that it survives.
    `CREATE TABLE schedule_author (
      schedule_id ${text} PRIMARY KEY REFERENCES schedule (id) ON DELETE CASCADE,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL
    )${tableOptions}`,
    // part: auto_destroy (last change of the setting) or retry (last retry of a failed destroy run).
    `CREATE TABLE auto_destroy_author (
      workspace_id ${text} NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
      part ${text} NOT NULL,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL,
      PRIMARY KEY (workspace_id, part)
    )${tableOptions}`,
    `CREATE TABLE auto_destroy_project_author (
      project_id ${text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
      by_type ${text} NOT NULL,
      by_id ${text} NOT NULL
    )${tableOptions}`,
  ],
};
