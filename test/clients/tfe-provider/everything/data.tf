# Data sources of the server.
data "tfe_organizations" "all" {
  depends_on = [tfe_organization.o]
}
data "tfe_organization" "o" { name = local.org }
data "tfe_agent_pool" "p" {
  name         = tfe_agent_pool.p.name
  organization = local.org
}
data "tfe_oauth_client" "c" { oauth_client_id = tfe_oauth_client.c.id }
data "tfe_oauth_client" "n" {
  organization = local.org
  name         = tfe_oauth_client.c.name
}
data "tfe_organization_membership" "m" {
  organization = local.org
  email        = tfe_organization_membership.m.email
}
data "tfe_organization_tags" "t" {
  organization = local.org
  depends_on   = [tfe_workspace.a]
}
data "tfe_ssh_key" "k" {
  organization = local.org
  name         = tfe_ssh_key.k.name
}
data "tfe_team" "t" {
  organization = local.org
  name         = tfe_team.t.name
}
data "tfe_teams" "t" {
  organization = local.org
  depends_on   = [tfe_team.t, tfe_team.u]
}
data "tfe_team_access" "t" {
  team_id      = tfe_team_access.t.team_id
  workspace_id = tfe_workspace.a.id
}
data "tfe_team_project_access" "t" {
  team_id    = tfe_team_project_access.t.team_id
  project_id = tfe_project.p.id
}
data "tfe_workspace" "a" {
  organization = local.org
  name         = tfe_workspace.a.name
  depends_on   = [tfe_workspace_settings.a]
}
data "tfe_workspace_ids" "i" {
  organization = local.org
  names        = ["*"]
  depends_on   = [tfe_workspace.a, tfe_workspace.b, tfe_workspace.c]
}
data "tfe_workspace_ids" "tags" {
  organization = local.org
  tag_names    = ["two"]
  exclude_tags = ["nothing"]
  depends_on   = [tfe_workspace.a, tfe_workspace.b]
}
data "tfe_workspace_ids" "filters" {
  organization = local.org
  tag_filters { include = { stage = "test" } }
  depends_on = [tfe_workspace.a, tfe_workspace.b]
}
data "tfe_variable_set" "s" {
  organization = local.org
  name         = tfe_variable_set.s.name
  depends_on   = [tfe_workspace_variable_set.w, tfe_project_variable_set.w]
}
data "tfe_variables" "v" {
  workspace_id = tfe_workspace.a.id
  depends_on   = [tfe_variable.v, tfe_variable.s]
}
data "tfe_variables" "s" {
  variable_set_id = tfe_variable_set.s.id
  depends_on      = [tfe_variable.h]
}
data "tfe_organization_members" "m" {
  organization = local.org
  depends_on   = [tfe_organization_membership.m]
}
data "tfe_project" "p" {
  organization = local.org
  name         = tfe_project.p.name
}
data "tfe_projects" "p" {
  organization = local.org
  depends_on   = [tfe_project.p]
}
data "tfe_organization_run_task" "t" {
  organization = local.org
  name         = tfe_organization_run_task.t.name
}
data "tfe_organization_run_task_global_settings" "t" {
  task_id = tfe_organization_run_task_global_settings.t.task_id
}
data "tfe_workspace_run_task" "t" {
  workspace_id = tfe_workspace.a.id
  task_id      = tfe_workspace_run_task.t.task_id
}
data "tfe_current_user" "me" {}
output "found" {
  value = {
    me      = data.tfe_current_user.me.username
    tagged  = keys(data.tfe_workspace_ids.tags.ids)
    bound   = keys(data.tfe_workspace_ids.filters.ids)
    all     = keys(data.tfe_workspace_ids.i.ids)
    page    = data.tfe_workspace.a.html_url
    members = length(data.tfe_organization_members.m.members_waiting)
    sets    = data.tfe_variable_set.s.workspace_ids == toset([tfe_workspace.a.id])
  }
}
