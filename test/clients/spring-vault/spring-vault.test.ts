import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../support/http.ts';
import { type Case, reportCases } from '../support/cases.ts';
import { installed } from '../support/installation.ts';
import { run } from '../support/run.ts';
import { type Serving, startServing } from '../support/serving.ts';

/** Runs `Cases.java`, which calls Spring Vault's methods for the access API, with its JDK client (HTTP/2). */
async function runSpringVault(): Promise<Case[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-spring-'));
  const serving = await startServing();
  try {
    await addRoles(serving);
    const casesFile = join(folder, 'cases');
    const keystore = join(folder, 'client.p12');
    await writeKeystore(serving, keystore);
    const { code, stdout, stderr } = await run('java', ['-cp', 'classes:lib/*', 'Cases'], {
      cwd: installed.springVault,
      env: {
        CASES_FILE: casesFile,
        CLIENT_KEYSTORE: keystore,
        VAULT_ADDR: serving.address,
        VAULT_CACERT: serving.caFile,
        VAULT_TOKEN: serving.rootToken,
      },
    });
    if (code !== 0) throw new Error(`java ended with ${code}:\n${stdout}\n${stderr}`);
    return readFileSync(casesFile, 'utf8')
      .trim()
      .split('\n')
      .map((line): Case => JSON.parse(line));
  } finally {
    await serving.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Spring Vault reads only the certificates of a PEM file, so the key is in a keystore. */
async function writeKeystore(serving: Serving, file: string): Promise<void> {
  const source = ['-in', serving.clientCertificateFile, '-inkey', serving.clientKeyFile];
  const target = ['-out', file, '-passout', 'pass:test'];
  const { code, stderr } = await run('openssl', ['pkcs12', '-export', ...source, ...target], { cwd: serving.folder });
  if (code !== 0) throw new Error(`openssl ended with ${code}: ${stderr}`);
}

async function addRoles(serving: Serving): Promise<void> {
  const certificate = readFileSync(serving.clientCaFile, 'utf8');
  const server = { address: serving.address, ca: readFileSync(serving.caFile, 'utf8') };
  const root = async (path: string, body: unknown) => {
    const { status, text } = await call(server, 'POST', `/v1/${path}`, { token: serving.rootToken, body });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  };
  await root('auth/cert/certs/machines', { certificate });
  await root('auth/cert/certs/short', { certificate, token_ttl: '8s', token_max_ttl: '2m' });
  await root('sys/auth/machines', { type: 'cert' });
  await root('auth/machines/certs/machines', { certificate });
}

reportCases('spring-vault-core', await runSpringVault());
