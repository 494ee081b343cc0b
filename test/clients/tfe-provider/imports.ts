/** A resource of a state, in the form of `tofu show -json`. */
export interface Stated {
  readonly address: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the provider keeps
  readonly values: any;
}

type Naming = (values: Stated['values'], organization: string) => string;

const byId: Naming = ({ id }) => id;
const inOrganization: Naming = ({ id }, organization) => `${organization}/${id}`;
const ofWorkspace: Naming = ({ id }, organization) => `${organization}/a/${id}`;
const itself: Naming = (_, organization) => organization;

/** Import ids by resource type. The provider cannot import other types. */
const NAMES: Readonly<Record<string, Naming>> = {
  tfe_agent_pool: byId,
  tfe_agent_pool_allowed_projects: byId,
  tfe_agent_pool_allowed_workspaces: byId,
  tfe_audit_trail_token: itself,
  tfe_data_retention_policy: ({ workspace_id }, organization) => (workspace_id ? `${organization}/a` : organization),
  tfe_notification_configuration: byId,
  tfe_org_max_token_ttl_policy: itself,
  tfe_organization: itself,
  tfe_organization_default_settings: itself,
  tfe_organization_membership: byId,
  tfe_organization_run_task: (_, organization) => `${organization}/check`,
  tfe_organization_run_task_global_settings: (_, organization) => `${organization}/check`,
  tfe_organization_token: itself,
  tfe_project: byId,
  tfe_project_notification_configuration: byId,
  tfe_project_settings: ({ project_id }) => project_id,
  tfe_project_variable_set: ({ project_id }, organization) => `${organization}/${project_id}/other`,
  tfe_run_trigger: byId,
  tfe_team: inOrganization,
  tfe_team_access: ofWorkspace,
  tfe_team_notification_configuration: byId,
  tfe_team_organization_member: (_, organization) => `${organization}/someone@example.com/ops`,
  tfe_team_project_access: byId,
  tfe_variable: ({ id, variable_set_id }, organization) =>
    variable_set_id ? `${organization}/${variable_set_id}/${id}` : `${organization}/a/${id}`,
  tfe_variable_set: byId,
  tfe_workspace: ({ name }, organization) => `${organization}/${name}`,
  tfe_workspace_run_task: (_, organization) => `${organization}/a/check`,
  tfe_workspace_settings: ({ workspace_id }) => workspace_id,
  tfe_workspace_variable_set: (_, organization) => `${organization}/a/other`,
};

/** Returns the blocks that import the resources of a state, as far as the provider supports it. */
export function importBlocks(resources: readonly Stated[], organization: string): string {
  const blocks = resources.flatMap(({ address, type, values }) => {
    const id = NAMES[type]?.(values, organization);
    return id === undefined ? [] : [`import {\n  to = ${address}\n  id = "${id}"\n}\n`];
  });
  return blocks.join('');
}
