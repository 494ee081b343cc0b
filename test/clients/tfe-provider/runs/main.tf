# A workspace whose runs the provider starts, and waits for.
terraform {
  required_providers {
    tfe = { source = "hashicorp/tfe" }
  }
}
variable "hostname" {}
variable "organization" {}
provider "tfe" {
  hostname = var.hostname
}
variable "run" { default = false }
resource "tfe_workspace" "w" {
  name         = "runs"
  organization = var.organization
}
resource "tfe_workspace_run" "r" {
  count        = var.run ? 1 : 0
  workspace_id = tfe_workspace.w.id
  apply {
    manual_confirm = false
    wait_for_run   = true
    retry          = false
  }
  destroy {
    manual_confirm = false
    wait_for_run   = true
    retry          = false
  }
}
data "tfe_outputs" "o" {
  count        = var.run ? 1 : 0
  organization = var.organization
  workspace    = tfe_workspace.w.name
  depends_on   = [tfe_workspace_run.r]
}
output "x" { value = var.run ? nonsensitive(data.tfe_outputs.o[0].values).x : "" }
