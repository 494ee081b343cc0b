import { ORGANIZATION } from './installation.ts';

/** A resource and outputs. All configurations here use the built-in provider, so that nothing is downloaded. */
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

/** A configuration that reads the outputs of `APP`, in another workspace. */
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

/** State is encrypted from now on; an unencrypted state can still be read. */
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

/** A resource whose creation writes a file `started` and waits for a file `go`. */
export const slow = (name: string) => `resource "terraform_data" "${name}" {
  provisioner "local-exec" {
    command = "touch started; while [ ! -e go ]; do sleep 0.1; done"
  }
}
`;

/** 2 MB, which the state contains twice. */
export const LARGE = `resource "terraform_data" "large" {
  input = sensitive(join("", [for i in range(512) : format("%04000d", i)]))
}
`;
