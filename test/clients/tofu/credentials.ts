import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Serving } from '../support/serving.ts';

const HELPER = fileURLToPath(new URL('../../../src/credentials-helper.ts', import.meta.url));

/** Source of a command line's token: the environment, or its certificate through the credentials helper. */
export type Credentials = 'token' | 'certificate';

/** Environment without a user's home folder and without version checks, which trusts only the server's CA. */
export function baseEnvironment(home: string, { caFile }: Serving): Record<string, string> {
  return {
    HOME: home,
    CHECKPOINT_DISABLE: '1',
    SSL_CERT_FILE: caFile,
    TF_CLI_CONFIG_FILE: join(home, 'token.tfrc'),
  };
}

export function tokenEnvironment(host: string, token: string): Record<string, string> {
  return { [`TF_TOKEN_${host.replaceAll('.', '_')}`]: token };
}

export function certificateEnvironment(home: string, serving: Serving, host: string): Record<string, string> {
  return {
    TF_CLI_CONFIG_FILE: join(home, 'certificate.tfrc'),
    LOCKKEEPER_ADDR: `https://${host}`,
    LOCKKEEPER_CACERT: serving.caFile,
    LOCKKEEPER_CERT: serving.clientCertificateFile,
    LOCKKEEPER_KEY: serving.clientKeyFile,
    LOCKKEEPER_RUNTIME_DIR: join(home, 'runtime'),
  };
}

/** Installs the credentials helper where both command lines look for it, and writes their configurations. */
export function installHelper(home: string): void {
  const plugins = join(home, '.terraform.d/plugins');
  mkdirSync(plugins, { recursive: true });
  const program = join(plugins, 'terraform-credentials-lockkeeper');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${HELPER}' "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(home, 'token.tfrc'), '');
  writeFileSync(join(home, 'certificate.tfrc'), 'credentials_helper "lockkeeper" {}\n');
}
