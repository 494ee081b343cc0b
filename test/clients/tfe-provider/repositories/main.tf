# A workspace that follows a repository.
terraform {
  required_providers {
    tfe = { source = "hashicorp/tfe" }
  }
}
variable "hostname" {}
variable "organization" {}
variable "github_token" { sensitive = true }
variable "repository" {}
variable "second" { default = false }
provider "tfe" {
  hostname     = var.hostname
  organization = var.organization
}
resource "tfe_oauth_client" "hub" {
  name             = "repositories"
  api_url          = "https://api.github.com"
  http_url         = "https://github.com"
  oauth_token      = var.github_token
  service_provider = "github"
}
resource "tfe_workspace" "w" {
  name                  = "follows"
  queue_all_runs        = true
  force_delete          = true
  file_triggers_enabled = !var.second
  trigger_patterns      = var.second ? null : ["/network/**/*"]
  vcs_repo {
    identifier     = var.repository
    branch         = var.second ? null : "main"
    tags_regex     = var.second ? "^v[0-9]" : null
    oauth_token_id = tfe_oauth_client.hub.oauth_token_id
  }
}
data "tfe_workspace" "w" {
  name = tfe_workspace.w.name
}
output "followed" {
  value = { repository = data.tfe_workspace.w.vcs_repo[0].identifier, url = tfe_workspace.w.html_url, id = tfe_workspace.w.id }
}
