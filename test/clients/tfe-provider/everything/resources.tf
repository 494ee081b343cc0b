# One of each resource that the server has. The second time, whatever can change has changed.
terraform {
  required_providers {
    tfe = { source = "hashicorp/tfe" }
  }
}
variable "hostname" {}
variable "private_key" { sensitive = true }
variable "second" { default = false }
provider "tfe" {
  hostname = var.hostname
}
resource "tfe_organization" "o" {
  name                          = "prov"
  email                         = var.second ? "other@example.com" : "prov@example.com"
  session_timeout_minutes       = var.second ? 30 : 20
  session_remember_minutes      = 60
  owners_team_saml_role_id      = "owners"
  allow_force_delete_workspaces = true
  max_ttl_enabled               = true
}
locals {
  org = tfe_organization.o.id
}
resource "tfe_org_max_token_ttl_policy" "p" {
  organization              = local.org
  org_token_max_ttl         = "1y"
  user_token_max_ttl        = var.second ? "1.5y" : "2y"
  team_token_max_ttl        = "3w"
  audit_trail_token_max_ttl = "6mo"
}
resource "tfe_agent_pool" "p" {
  name                = var.second ? "other" : "agents"
  organization        = local.org
  organization_scoped = false
}
resource "tfe_agent_pool" "open" {
  name         = "open"
  organization = local.org
}
resource "tfe_agent_token" "t" {
  agent_pool_id = tfe_agent_pool.p.id
  description   = "first"
}
resource "tfe_agent_pool_allowed_workspaces" "a" {
  agent_pool_id         = tfe_agent_pool.p.id
  allowed_workspace_ids = [tfe_workspace.b.id]
}
resource "tfe_agent_pool_allowed_projects" "a" {
  agent_pool_id       = tfe_agent_pool.p.id
  allowed_project_ids = [tfe_project.p.id]
}
resource "tfe_agent_pool_excluded_workspaces" "a" {
  agent_pool_id          = tfe_agent_pool.p.id
  excluded_workspace_ids = [tfe_workspace.c.id]
}
resource "tfe_organization_default_settings" "d" {
  organization           = local.org
  default_execution_mode = var.second ? "remote" : "local"
}
resource "tfe_project" "p" {
  organization                   = local.org
  name                           = "project"
  description                    = var.second ? "changed" : "of the provider"
  tags                           = var.second ? { team = "edge", more = "" } : { team = "core" }
  auto_destroy_activity_duration = var.second ? null : "3d"
}
resource "tfe_project_settings" "s" {
  project_id             = tfe_project.p.id
  default_execution_mode = "remote"
}
resource "tfe_workspace" "a" {
  name              = "a"
  organization      = local.org
  project_id        = tfe_project.p.id
  description       = var.second ? "second" : "first"
  tag_names         = var.second ? ["two", "three"] : ["one", "two"]
  force_delete      = true
  ssh_key_id        = tfe_ssh_key.k.id
  terraform_version = "1.10.7"
  working_directory = var.second ? "y" : "x"
  trigger_prefixes  = var.second ? null : ["a", "b"]
  trigger_patterns  = var.second ? ["a/**"] : null
}
resource "tfe_workspace" "b" {
  name                           = "b"
  organization                   = local.org
  tags                           = { stage = "test" }
  queue_all_runs                 = false
  auto_apply                     = true
  auto_destroy_activity_duration = var.second ? "20h" : "14d"
  file_triggers_enabled          = false
  speculative_enabled            = false
  structured_run_output_enabled  = false
  assessments_enabled            = false
}
resource "tfe_workspace" "c" {
  name         = "c"
  organization = local.org
  depends_on   = [tfe_organization_default_settings.d]
}
resource "tfe_workspace_settings" "a" {
  workspace_id              = tfe_workspace.a.id
  execution_mode            = "remote"
  description               = var.second ? "second" : "first"
  auto_apply                = true
  remote_state_consumer_ids = [var.second ? tfe_workspace.c.id : tfe_workspace.b.id]
  tags                      = { who = "settings" }
}
resource "tfe_workspace_settings" "b" {
  workspace_id        = tfe_workspace.b.id
  execution_mode      = "agent"
  agent_pool_id       = tfe_agent_pool_allowed_workspaces.a.agent_pool_id
  global_remote_state = true
}
resource "tfe_variable" "v" {
  key          = var.second ? "area" : "region"
  value        = var.second ? "us" : "eu"
  category     = "terraform"
  description  = "where"
  workspace_id = tfe_workspace.a.id
}
resource "tfe_variable" "s" {
  key          = "SECRET"
  value        = var.second ? "other" : "hidden"
  category     = "env"
  sensitive    = true
  workspace_id = tfe_workspace.a.id
}
resource "tfe_variable" "h" {
  key             = "list"
  value           = "[1,2]"
  hcl             = true
  category        = "terraform"
  variable_set_id = tfe_variable_set.s.id
}
resource "tfe_variable_set" "s" {
  name         = var.second ? "other" : "set"
  description  = "some"
  organization = local.org
}
resource "tfe_variable_set" "g" {
  name         = "everywhere"
  organization = local.org
  global       = true
  priority     = true
}
resource "tfe_variable_set" "own" {
  name              = "owned"
  organization      = local.org
  parent_project_id = tfe_project.p.id
}
resource "tfe_workspace_variable_set" "w" {
  workspace_id    = tfe_workspace.a.id
  variable_set_id = tfe_variable_set.s.id
}
resource "tfe_project_variable_set" "w" {
  project_id      = tfe_project.p.id
  variable_set_id = tfe_variable_set.s.id
}
resource "tfe_team" "t" {
  name         = "ops"
  organization = local.org
  visibility   = var.second ? "secret" : "organization"
  organization_access {
    manage_workspaces   = true
    read_projects       = true
    manage_vcs_settings = !var.second
  }
}
resource "tfe_team" "u" {
  name         = "plain"
  organization = local.org
}
resource "tfe_team_token" "t" {
  team_id    = tfe_team.t.id
  expired_at = timeadd(plantimestamp(), "24h")
  lifecycle { ignore_changes = [expired_at] }
}
resource "tfe_team_token" "d" {
  team_id     = tfe_team.t.id
  description = "second"
  expired_at  = timeadd(plantimestamp(), "24h")
  lifecycle { ignore_changes = [expired_at] }
}
resource "tfe_team_access" "t" {
  access       = var.second ? "write" : "read"
  team_id      = tfe_team.t.id
  workspace_id = tfe_workspace.a.id
}
resource "tfe_team_access" "u" {
  team_id      = tfe_team.u.id
  workspace_id = tfe_workspace.a.id
  permissions {
    runs              = var.second ? "plan" : "apply"
    variables         = "read"
    state_versions    = "read-outputs"
    sentinel_mocks    = "none"
    workspace_locking = true
    run_tasks         = false
  }
}
resource "tfe_team_project_access" "t" {
  access     = var.second ? "write" : "maintain"
  team_id    = tfe_team.t.id
  project_id = tfe_project.p.id
}
resource "tfe_team_project_access" "u" {
  access     = "custom"
  team_id    = tfe_team.u.id
  project_id = tfe_project.p.id
  project_access {
    settings      = "read"
    teams         = "none"
    variable_sets = "write"
  }
  workspace_access {
    state_versions = "write"
    sentinel_mocks = "none"
    runs           = var.second ? "plan" : "apply"
    variables      = "write"
    create         = true
    locking        = true
    move           = false
    delete         = false
    run_tasks      = false
  }
}
resource "tfe_organization_membership" "m" {
  organization = local.org
  email        = "someone@example.com"
}
resource "tfe_team_organization_member" "m" {
  team_id                    = tfe_team.t.id
  organization_membership_id = tfe_organization_membership.m.id
}
resource "tfe_team_organization_members" "m" {
  team_id                     = tfe_team.u.id
  organization_membership_ids = [tfe_organization_membership.m.id]
}
resource "tfe_organization_token" "t" {
  organization = local.org
  expired_at   = timeadd(plantimestamp(), "24h")
  lifecycle { ignore_changes = [expired_at] }
}
resource "tfe_audit_trail_token" "t" {
  organization = local.org
  expired_at   = timeadd(plantimestamp(), "24h")
  lifecycle { ignore_changes = [expired_at] }
}
resource "tfe_ssh_key" "k" {
  name         = var.second ? "other" : "key"
  organization = local.org
  key          = var.private_key
}
resource "tfe_notification_configuration" "n" {
  name             = var.second ? "other" : "hook"
  enabled          = false
  destination_type = "generic"
  triggers         = var.second ? ["run:completed"] : ["run:created", "run:errored"]
  url              = "https://hooks.example.com/x"
  token            = "secret"
  workspace_id     = tfe_workspace.a.id
}
resource "tfe_notification_configuration" "slack" {
  name             = "slack"
  enabled          = false
  destination_type = "slack"
  triggers         = ["run:created"]
  url              = "https://hooks.slack.example.com/x"
  workspace_id     = tfe_workspace.a.id
}
resource "tfe_notification_configuration" "mail" {
  name             = var.second ? "other mail" : "mail"
  enabled          = false
  destination_type = "email"
  triggers         = ["run:created"]
  email_user_ids   = [tfe_organization_membership.m.user_id]
  workspace_id     = tfe_workspace.a.id
}
resource "tfe_project_notification_configuration" "p" {
  name             = var.second ? "other" : "hook"
  enabled          = false
  destination_type = "generic"
  triggers         = ["run:errored"]
  url              = "https://hooks.example.com/project"
  # Without a token, this version of the provider plans null and reads an empty text.
  token            = "secret"
  project_id       = tfe_project.p.id
}
resource "tfe_team_notification_configuration" "t" {
  name             = var.second ? "other" : "hook"
  enabled          = false
  destination_type = "generic"
  triggers         = ["change_request:created"]
  url              = "https://hooks.example.com/team"
  team_id          = tfe_team.t.id
}
resource "tfe_run_trigger" "r" {
  workspace_id  = tfe_workspace.a.id
  sourceable_id = tfe_workspace.b.id
}
resource "tfe_oauth_client" "c" {
  name             = "hub"
  organization     = local.org
  api_url          = "https://api.github.com"
  http_url         = "https://github.com"
  oauth_token      = "token"
  service_provider = "github"
}
resource "tfe_project_oauth_client" "c" {
  project_id      = tfe_project.p.id
  oauth_client_id = tfe_oauth_client.c.id
}
resource "tfe_organization_run_task" "t" {
  organization = local.org
  url          = "https://tasks.example.com/"
  name         = "check"
  enabled      = false
  description  = var.second ? "other" : "task"
}
resource "tfe_organization_run_task_global_settings" "t" {
  task_id           = tfe_organization_run_task.t.id
  enabled           = true
  enforcement_level = "advisory"
  stages            = var.second ? ["pre_apply", "post_apply"] : ["post_plan"]
}
resource "tfe_workspace_run_task" "t" {
  workspace_id      = tfe_workspace.a.id
  task_id           = tfe_organization_run_task.t.id
  enforcement_level = "advisory"
  stages            = var.second ? ["pre_apply"] : ["pre_plan", "post_plan"]
}
resource "tfe_data_retention_policy" "o" {
  organization = local.org
  delete_older_than { days = var.second ? 7 : 1138 }
}
resource "tfe_data_retention_policy" "w" {
  workspace_id = tfe_workspace.a.id
  dont_delete {}
}
