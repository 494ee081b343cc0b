import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call } from '../../support/http.ts';
import { ownExecution } from '../support/execution.ts';
import { type GitHub, REPOSITORY, startGitHub } from '../support/github.ts';
import { installed } from '../support/installation.ts';
import { type Serving, startServing } from '../support/serving.ts';
import { Project } from '../tofu/project.ts';
import { importBlocks, type Stated } from './imports.ts';

const ORGANIZATION = 'prov';
const YEAR = 365 * 24 * 3_600_000;
/** Exit code of `plan -detailed-exitcode` without changes. */
const NO_CHANGES = 0;

interface PlannedChange {
  readonly address: string;
  readonly change: { readonly actions: readonly string[] };
}

describe('the tfe provider, with tofu', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-tfe-provider-'));
  let serving: Serving;
  let execution: Awaited<ReturnType<typeof ownExecution>>;
  let github: GitHub;
  let everything: Project;
  let token = '';

  beforeAll(async () => {
    execution = await ownExecution(2);
    github = await startGitHub();
    serving = await startServing(undefined, execution.settings + github.settings, github.environment);
    token = await expiringToken();
    everything = await project('everything');
  });
  afterAll(async () => {
    await serving.stop();
    await github.stop();
    execution.remove();
    rmSync(folder, { recursive: true });
  });

  function ask(method: string, path: string, body?: object, by = token): Promise<Answer> {
    const ca = readFileSync(serving.caFile, 'utf8');
    return call({ address: serving.address, ca }, method, `/api/v2${path}`, { token: by, ...(body && { body }) });
  }

  /** User token with an expiry: the configuration sets a maximum lifetime, which a token without an expiry exceeds. */
  async function expiringToken(): Promise<string> {
    const account = await ask('GET', '/account/details', undefined, serving.userToken);
    const attributes = { description: 'provider', 'expired-at': new Date(Date.now() + YEAR).toISOString() };
    const path = `/users/${account.body.data.id}/authentication-tokens`;
    const made = await ask('POST', path, { data: { attributes } }, serving.userToken);
    return made.body.data.attributes.token;
  }

  /** Creates an initialized folder with one of the configurations. */
  async function project(name: string): Promise<Project> {
    const mirror = JSON.stringify(installed.tfeProvider);
    const settings = join(folder, 'tofu.rc');
    writeFileSync(settings, `provider_installation {\n  filesystem_mirror {\n    path = ${mirror}\n  }\n}\n`);
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const environment = {
      ...{ HOME: folder, CHECKPOINT_DISABLE: '1', SSL_CERT_FILE: serving.caFile, TF_CLI_CONFIG_FILE: settings },
      ...{ TFE_TOKEN: token, TF_VAR_private_key: key.toString(), TF_VAR_organization: ORGANIZATION },
      ...{ TF_VAR_hostname: new URL(serving.address).host, TF_VAR_repository: REPOSITORY },
      TF_VAR_github_token: github.fake.token,
    };
    const made = new Project({ program: join(installed.tofu, 'tofu'), folder, environment }, {});
    cpSync(join(import.meta.dirname, name), made.folder, { recursive: true });
    await made.done('init', '-input=false', '-no-color');
    return made;
  }

  async function plansNothing(of: Project, ...more: string[]): Promise<void> {
    const { code, stdout, stderr } = await of.run('plan', '-detailed-exitcode', '-input=false', '-no-color', ...more);
    expect(code, stdout + stderr).toBe(NO_CHANGES);
  }

  const stated = async (): Promise<Stated[]> => {
    const { values } = JSON.parse(await everything.done('show', '-json'));
    return values.root_module.resources.filter(({ mode }: { mode: string }) => mode === 'managed');
  };

  it('creates one of each resource, reads them all, and then has no changes', async () => {
    expect(await everything.apply()).toMatch(/Apply complete! Resources: 51 added/);
    await plansNothing(everything);
    const { found } = JSON.parse(await everything.done('output', '-json'));
    expect(found.value).toMatchObject({ tagged: ['a'], bound: ['b'], all: ['a', 'b', 'c'], members: 1, sets: true });
  });

  it('changes every attribute that can change, and then has no changes', async () => {
    expect(await everything.apply('-var', 'second=true')).toMatch(
      /Apply complete! Resources: \d+ added, [12]\d changed/,
    );
    await plansNothing(everything, '-var', 'second=true');
  });

  it('imports them, and would change only secrets and its own attributes', async () => {
    const resources = await stated();
    const importing = await project('everything');
    rmSync(join(importing.folder, 'data.tf'));
    importing.write('imports.tf', importBlocks(resources, ORGANIZATION));
    await importing.done('plan', '-input=false', '-no-color', '-var', 'second=true', '-out', 'imported');
    const plan = JSON.parse(await importing.done('show', '-json', 'imported'));
    const changes: PlannedChange[] = plan.resource_changes;
    const by = (action: string) =>
      changes.filter(({ change }) => change.actions.includes(action)).map(({ address }) => address);
    expect(by('create')).toEqual(NOT_IMPORTED);
    expect(by('update'), 'secrets, and what the provider keeps for itself').toEqual(CHANGED_BY_IMPORT);
  });

  it('starts runs and waits for them, and destroys their resources with the workspace', async () => {
    const runs = await project('runs');
    await runs.apply();
    await upload('runs');
    expect(await runs.apply('-var', 'run=true')).toContain('x = "made"');
    await plansNothing(runs, '-var', 'run=true');
    expect(await runs.done('destroy', '-auto-approve', '-no-color', '-var', 'run=true')).toContain('2 destroyed');
  });

  it('lets a workspace follow a repository, whose newest commit runs', async () => {
    const repositories = await project('repositories');
    await repositories.apply();
    await plansNothing(repositories);
    const { followed } = JSON.parse(await repositories.done('output', '-json'));
    expect(followed.value.repository).toBe(REPOSITORY);
    const runs = async () => (await ask('GET', `/workspaces/${followed.value.id}/runs`)).body.data;
    await expect.poll(runs).toMatchObject([{ attributes: { message: 'readme' } }]);
    await repositories.apply('-var', 'second=true');
    await plansNothing(repositories, '-var', 'second=true');
    expect(await repositories.done('destroy', '-auto-approve', '-no-color')).toContain('2 destroyed');
  });

  it('destroys them all', async () => {
    expect(await everything.done('destroy', '-auto-approve', '-no-color')).toMatch(/51 destroyed/);
    expect((await ask('GET', `/organizations/${ORGANIZATION}`)).status).toBe(404);
  });

  /** Uploads a configuration for a workspace: the provider uploads none. */
  async function upload(name: string): Promise<void> {
    writeFileSync(
      join(folder, 'main.tf'),
      'resource "terraform_data" "x" { input = "made" }\noutput "x" { value = terraform_data.x.output }\n',
    );
    const archive = execFileSync('tar', ['-czf', '-', '-C', folder, 'main.tf']);
    const workspace = await ask('GET', `/organizations/${ORGANIZATION}/workspaces/${name}`);
    const path = `/workspaces/${workspace.body.data.id}/configuration-versions`;
    const version = await ask('POST', path, { data: { attributes: { 'auto-queue-runs': false } } });
    const { pathname } = new URL(version.body.data.attributes['upload-url']);
    const ca = readFileSync(serving.caFile, 'utf8');
    const headers = { 'content-type': 'application/octet-stream' };
    const sent = await call({ address: serving.address, ca }, 'PUT', pathname, { body: archive, headers });
    expect(sent.status).toBe(200);
  }
});

const NOT_IMPORTED = [
  'tfe_agent_pool_excluded_workspaces.a',
  'tfe_agent_token.t',
  'tfe_oauth_client.c',
  'tfe_project_oauth_client.c',
  'tfe_ssh_key.k',
  'tfe_team_organization_members.m',
  'tfe_team_token.d',
  'tfe_team_token.t',
];
const CHANGED_BY_IMPORT = [
  'tfe_notification_configuration.n',
  'tfe_project_notification_configuration.p',
  'tfe_variable.s',
  'tfe_workspace.a',
  'tfe_workspace.b',
];
