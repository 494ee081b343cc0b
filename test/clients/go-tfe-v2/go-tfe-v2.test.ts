import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../support/http.ts';
import { output } from '../../support/machine/installed.ts';
import { startReceiver } from '../../support/receiver.ts';
import { reportCases } from '../support/cases.ts';
import { ownExecution } from '../support/execution.ts';
import { REPOSITORY, startGitHub } from '../support/github.ts';
import { goTest } from '../support/go-test.ts';
import { startServing } from '../support/serving.ts';
import { coverage } from './operations.ts';
import skipped from './skipped.json' with { type: 'json' };

const MODULE = 'github.com/hashicorp/go-tfe/v2';
const HERE = import.meta.dirname;

/**
 * go-tfe v2 is generated from an OpenAPI document of HCP Terraform and has no integration tests. Our tests call each
 * operation of that document that the server implements, with the client's own methods. The results of the client's
 * unit tests are reported, too.
 */
async function runGoTfeV2(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-go-tfe-v2-'));
  const calledFile = join(folder, 'called.json');
  const receiver = await startReceiver();
  const execution = await ownExecution(2);
  const notifications = `{ allowed_addresses: [127.0.0.1], authorities_file: ${receiver.caFile} }`;
  const github = await startGitHub();
  const settings = `notifications: ${notifications}\n${execution.settings}${github.settings}`;
  const serving = await startServing(undefined, settings, github.environment);
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  try {
    const environment = {
      TFE_ADDRESS: serving.address,
      TFE_TOKEN: serving.userToken,
      SSL_CERT_FILE: serving.caFile,
      RECEIVER: receiver.address,
      PRIVATE_KEY: key.toString(),
      GITHUB_TOKEN: github.fake.token,
      GITHUB_REPOSITORY: REPOSITORY,
      CALLED: calledFile,
    };
    const [ours, itself] = await Promise.all([
      goTest(HERE, ['-vet=off', '.'], environment),
      goTest(HERE, ['-vet=off', MODULE, `${MODULE}/middleware`], {}),
    ]);
    reportCases('go-tfe v2', ours);
    const place = output('go', ['list', '-m', '-f', '{{.Dir}}', MODULE], HERE);
    const client = JSON.parse(readFileSync(join(place, 'openapi/spec.json'), 'utf8'));
    const server = await call(
      { address: serving.address, ca: readFileSync(serving.caFile, 'utf8') },
      'GET',
      '/api/v2/openapi.json',
    );
    // A program that exited early has not written the file.
    const called = existsSync(calledFile) ? JSON.parse(readFileSync(calledFile, 'utf8')) : [];
    reportCases('go-tfe v2, operations', coverage(client, server.body, called, skipped));
    reportCases('go-tfe v2, of the client itself', itself);
  } finally {
    await serving.stop();
    execution.remove();
    await receiver.stop();
    await github.stop();
    rmSync(folder, { recursive: true });
  }
}

await runGoTfeV2();
