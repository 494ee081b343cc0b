import { ORGANIZATION } from './installation.ts';

/** A resource and outputs. Whatever is made here is of the provider that is built in: nothing is downloaded. */
export const APP = `
resource "terraform_data" "app" {
  input = "first"
}
output "app" { value = { name = terraform_data.app.output, zones = ["a", "b"] } }
output "secret" {
  value     = "hidden"
  sensitive = true
}
`;

/** One that reads what that of `APP` puts out, in another workspace. */
export const readingFrom = (host: string, workspace: string) => `
data "terraform_remote_state" "other" {
  backend = "remote"
  config = {
    hostname     = "${host}"
    organization = "${ORGANIZATION}"
    workspaces   = { name = "${workspace}" }
  }
}
output "read" { value = data.terraform_remote_state.other.outputs.app }
`;

/** State is encrypted from now on; one that is not can still be read. */
export const ENCRYPTION = `
encryption {
  key_provider "pbkdf2" "passphrase" {
    passphrase = "correct-horse-battery-staple"
    iterations = 200000
  }
  method "aes_gcm" "new" { keys = key_provider.pbkdf2.passphrase }
  method "unencrypted" "old" {}
  state {
    method = method.aes_gcm.new
    fallback { method = method.unencrypted.old }
  }
}
`;

/** A resource. */
export const plain = (name: string, input = name) => `resource "terraform_data" "${name}" { input = "${input}" }\n`;

/** One that is being made from when there is a file `started` until there is a file `go`. */
export const slow = (name: string) => `resource "terraform_data" "${name}" {
  provisioner "local-exec" {
    command = "touch started; while [ ! -e go ]; do sleep 0.1; done"
  }
}
`;

/** 2 MB, in the state twice. */
export const LARGE = `resource "terraform_data" "large" {
  input = sensitive(join("", [for i in range(512) : format("%04000d", i)]))
}
`;
