import type { ColumnTypes, Migration } from '../../../storage/index.ts';

/** Returns a member of a JSON text as text. Booleans are 1 and 0 on SQLite, true and false on PostgreSQL. */
const member = ({ dialect }: ColumnTypes, column: string, name: string) =>
  `(${dialect === 'sqlite' ? column : `${column}::json`} ->> '${name}')`;
const isTrue = (types: ColumnTypes, column: string, name: string) =>
  `CASE WHEN CAST(${member(types, column, name)} AS TEXT) IN ('1', 'true') THEN 1 ELSE 0 END`;

/**
 * Access to runs that a grant gives in the workspaces that it covers: of its level, or its own if the level is `custom`.
 */
const runsOf = (types: ColumnTypes) =>
  `CASE access WHEN 'custom' THEN coalesce(${member(types, 'custom', 'runs')}, 'none')
     WHEN 'read' THEN 'read' WHEN 'plan' THEN 'plan' ELSE 'apply' END`;

/**
 * Adds columns for the rules that queries check, which were searched for in JSON texts, and the view of the inherited
 * execution settings.
 */
export const ruleColumns: Migration = {
  name: '0092-rule-columns',
  statements: (types) => [
    // execution_mode: null while it is inherited.
    `ALTER TABLE workspace ADD COLUMN execution_mode ${types.text}`,
    `ALTER TABLE workspace ADD COLUMN global_remote_state ${types.integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE workspace ADD COLUMN project_remote_state ${types.integer} NOT NULL DEFAULT 0`,
    `UPDATE workspace SET execution_mode = ${member(types, 'settings', 'execution-mode')},
       global_remote_state = ${isTrue(types, 'settings', 'global-remote-state')},
       project_remote_state = ${isTrue(types, 'settings', 'project-remote-state')}`,

    // Effective permissions, whether they come from the level or from the details of the level custom.
    `ALTER TABLE team_workspace ADD COLUMN runs ${types.text} NOT NULL DEFAULT 'none'`,
    `UPDATE team_workspace SET runs = ${runsOf(types)}`,
    `ALTER TABLE team_project ADD COLUMN runs ${types.text} NOT NULL DEFAULT 'none'`,
    `ALTER TABLE team_project ADD COLUMN project_settings ${types.text} NOT NULL DEFAULT 'read'`,
    `ALTER TABLE team_project ADD COLUMN variable_sets ${types.text} NOT NULL DEFAULT 'none'`,
    `ALTER TABLE team_project ADD COLUMN creates ${types.integer} NOT NULL DEFAULT 0`,
    `UPDATE team_project SET runs = ${runsOf(types)},
       project_settings = CASE access WHEN 'admin' THEN 'delete'
         WHEN 'custom' THEN coalesce(${member(types, 'project_custom', 'settings')}, 'read') ELSE 'read' END,
       variable_sets = CASE access WHEN 'admin' THEN 'write'
         WHEN 'custom' THEN coalesce(${member(types, 'project_custom', 'variable-sets')}, 'none') ELSE 'read' END,
       creates = CASE access WHEN 'admin' THEN 1 WHEN 'maintain' THEN 1
         WHEN 'custom' THEN ${isTrue(types, 'custom', 'create')} ELSE 0 END`,

    // The workspace's own mode comes first, then its project's, then its organization's. A pool belongs to the mode
    // agent of the same level.
    `CREATE VIEW workspace_execution AS
     SELECT w.id, w.organization_id, w.project_id, w.name,
       COALESCE(j.default_execution_mode, o.default_execution_mode) AS inherited_mode,
       COALESCE(w.execution_mode, j.default_execution_mode, o.default_execution_mode) AS execution_mode,
       CASE WHEN w.execution_mode IS NOT NULL THEN w.agent_pool_id
         WHEN j.default_execution_mode = 'agent' THEN j.default_agent_pool_id
         WHEN j.default_execution_mode IS NULL AND o.default_execution_mode = 'agent' THEN o.default_agent_pool_id
         END AS agent_pool_id
     FROM workspace w JOIN organization o ON o.id = w.organization_id JOIN project j ON j.id = w.project_id`,
  ],
};
