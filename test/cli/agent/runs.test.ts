import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../support/command.ts';
import { Installation } from '../../support/runner/installation.ts';
import { hasEngine } from '../../support/runner/run.ts';

const MAIN = `
resource "terraform_data" "a" { input = "x" }
output "a" { value = terraform_data.a.output }
`;

const WATCHED = `
variable "expected" { default = "x" }
resource "terraform_data" "a" { input = "x" }
check "kept" {
  assert {
    condition     = terraform_data.a.output == var.expected
    error_message = "it is not as expected"
  }
}
`;

const SLEEPS = `
resource "terraform_data" "first" {}
resource "terraform_data" "second" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" { command = "echo begun; sleep 300 & wait" }
}
`;
const ENGINE = { LOCKKEEPER_ENGINE: '/usr/local/bin/terraform' };

describe.skipIf(!hasEngine)('lockkeeper agent (needs terraform)', { timeout: 120_000 }, () => {
  let installation: Installation;
  let agent: Command;
  beforeAll(async () => {
    installation = await Installation.start();
    agent = installation.agent(['--token-file', installation.tokenFile, '--slots', '2'], ENGINE);
  });
  afterAll(() => installation.stop());

  test('plans and applies', async () => {
    const workspace = await installation.workspace();
    const run = await installation.run(workspace, { 'main.tf': MAIN });
    await installation.until(run, 'applied');
    const { data, included } = await installation.runOf(run);
    expect(data.attributes['has-changes']).toBe(true);
    expect(included.map(({ attributes }: never) => attributes['resource-additions'])).toEqual([1, 1]);
    expect((await installation.stateOf(workspace)).outputs.a.value).toBe('x');
    expect((await installation.logOf(run, 'apply')).split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^Terraform v/),
      expect.stringMatching(/^on linux/),
      'Initializing plugins and modules...',
    ]);
    expect(await installation.logOf(run, 'apply')).toContain('1 added, 0 changed, 0 destroyed');
  });

  test('executes as many runs at a time as it has slots', async () => {
    const waits = (other: string): Record<string, string> => ({
      'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo met ${other}; sleep 10" }
}`,
    });
    const ids = [];
    for (const name of ['b', 'a']) ids.push(await installation.run(await installation.workspace(), waits(name)));
    await Promise.all(ids.map((id) => installation.untilLogged(id, 'apply', /met [ab]/)));
    expect(await Promise.all(ids.map((id) => installation.statusOf(id)))).toEqual(['applying', 'applying']);
    await Promise.all(ids.map((id) => installation.until(id, 'applied')));
  });

  test('runs a health assessment without a run, and reports failed checks', async () => {
    const workspace = await installation.workspace();
    await installation.until(await installation.run(workspace, { 'main.tf': WATCHED }), 'applied');
    const assessed = async () => {
      const current = () => installation.user('GET', `/workspaces/${workspace}/current-assessment-result`);
      const before = (await current()).body.data?.id;
      const begun = await installation.user('POST', `/workspaces/${workspace}/actions/assess`);
      expect(begun.status, begun.text).toBe(200);
      await expect.poll(async () => (await current()).body.data?.id, { timeout: 45_000 }).not.toBe(before);
      return (await current()).body.data;
    };
    expect((await assessed()).attributes).toMatchObject({
      ...{ drifted: false, succeeded: true, 'all-checks-succeeded': true, 'error-message': null },
      ...{ 'resources-drifted': 0, 'resources-undrifted': 1, 'checks-passed': 1, 'checks-failed': 0 },
    });
    const expected = { key: 'expected', value: 'y', category: 'terraform' };
    await installation.user('POST', `/workspaces/${workspace}/vars`, { data: { type: 'vars', attributes: expected } });
    const { attributes, links } = await assessed();
    expect(attributes).toMatchObject({ succeeded: true, 'all-checks-succeeded': false, 'checks-failed': 1 });
    const at = async (link: string) => (await installation.user('GET', links[link].replace('/api/v2', ''))).text;
    expect(JSON.parse(await at('json-output'))).toHaveProperty('planned_values');
    expect(JSON.parse(await at('json-schema'))).toHaveProperty('provider_schemas');
    expect(await at('log-output')).toContain('"type":"version"');
  });

  test('interrupts a canceled apply, and uploads its state', async () => {
    const workspace = await installation.workspace();
    const run = await installation.run(workspace, { 'main.tf': SLEEPS });
    await installation.untilLogged(run, 'apply', 'begun');
    expect((await installation.user('POST', `/runs/${run}/actions/cancel`)).status).toBe(202);
    await installation.until(run, 'canceled');
    expect(await installation.logOf(run, 'apply')).toMatch(/Interrupt received[\s\S]*The run was canceled\.\n$/);
    expect((await installation.stateOf(workspace)).resources.map(({ name }: { name: string }) => name)).toContain(
      'first',
    );
  });

  test.each([
    ['nobody', 'becomes the current one', []],
    ['somebody else', 'is kept as the errored state', ['lock']],
  ])('interrupts an apply whose lock was taken away; where %s locks meanwhile its state %s', async (...[, , after]) => {
    const workspace = await installation.workspace();
    const run = await installation.run(workspace, { 'main.tf': SLEEPS });
    await installation.untilLogged(run, 'apply', 'begun');
    for (const action of ['force-unlock', ...after]) {
      expect((await installation.user('POST', `/workspaces/${workspace}/actions/${action}`)).status).toBe(200);
    }
    await installation.until(run, 'canceled');
    expect(await installation.logOf(run, 'apply')).toMatch(
      /Interrupt received[\s\S]*lock of its workspace was removed/,
    );
    const { apply } = (await installation.runOf(run)).data.relationships;
    const left = await installation.user('GET', `/applies/${apply.data.id}/errored-state`);
    const state = after.length === 0 ? await installation.stateOf(workspace) : left.body;
    expect(state.resources.map(({ name }: { name: string }) => name)).toContain('first');
    expect(left.status).toBe(after.length === 0 ? 204 : 200);
  });

  test('says in the log of the plan why a run cannot be executed', async () => {
    const run = await installation.run(await installation.workspace({ 'working-directory': 'none' }), {
      'main.tf': MAIN,
    });
    await installation.until(run, 'errored');
    expect(await installation.logOf(run, 'plan')).toMatch(
      /The working directory "none" is not a folder of the configuration\s*$/,
    );
  });

  test('continues while the server is unavailable, and uploads everything when it is back', async () => {
    const workspace = await installation.workspace();
    const run = await installation.run(workspace, {
      'main.tf': `
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo begun; sleep 4; echo done" }
}`,
    });
    await installation.untilLogged(run, 'apply', 'begun');
    await installation.endServer('SIGKILL');
    await sleep(5000);
    await installation.startServer();
    await installation.until(run, 'applied');
    expect(await installation.logOf(run, 'apply')).toMatch(/begun[\s\S]*done[\s\S]*1 added, 0 changed/);
    expect((await installation.stateOf(workspace)).resources).toHaveLength(1);
    const next = await installation.run(workspace, { 'main.tf': MAIN });
    await installation.until(next, 'applied');
  });

  test('signs off, and exits with 0', async () => {
    agent.signal('SIGTERM');
    const { code, stderr } = await agent.ended();
    expect([code, stderr]).toEqual([0, expect.stringContaining('registered')]);
    expect(stderr).not.toMatch(/lk[aj]\./);
    const { body } = await installation.user('GET', `/agent-pools/${installation.pool}/agents`);
    expect(body.data.map((one: { attributes: { status: string } }) => one.attributes.status)).toEqual([
      'exited',
      'exited',
    ]);
  });

  test('executes one job that another process has claimed, and exits', async () => {
    const run = await installation.run(await installation.workspace(), { 'main.tf': MAIN }, {});
    const { id, token } = await installation.claim();
    const file = join(installation.folder, 'job-token');
    writeFileSync(file, token);
    const once = installation.agent(['--job', id], { ...ENGINE, LOCKKEEPER_JOB_TOKEN_FILE: file });
    const { code, stderr } = await once.ended();
    expect(code, stderr).toBe(0);
    expect(await installation.statusOf(run)).toBe('planned');
    const again = await installation.agent(['--job', id, '--job-token-file', file], ENGINE).ended();
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('(401)')]);
  });

  test('whose token is deleted during an apply interrupts its engine, and the server accepts the state', async () => {
    const { id: pool, tokenFile } = await installation.newPool();
    const revoked = installation.agent(['--token-file', tokenFile], ENGINE);
    const workspace = await installation.workspace({ 'agent-pool-id': pool });
    const run = await installation.run(workspace, { 'main.tf': SLEEPS });
    await installation.untilLogged(run, 'apply', 'begun');
    const { body } = await installation.user('GET', `/agent-pools/${pool}/authentication-tokens`);
    await installation.user('DELETE', `/authentication-tokens/${body.data[0].id}`);
    const apply = (await installation.runOf(run)).data.relationships.apply.data.id;
    const errored = async () => (await installation.user('GET', `/applies/${apply}/errored-state`)).text;
    await expect.poll(errored, { timeout: 60_000 }).toContain('"name": "first"');
    expect(revoked.stderr).toContain('no longer accepts this job from this agent');
    revoked.signal('SIGTERM');
    await revoked.ended();
  });

  test('that is killed leaves no engine behind, and reports where the state is', async () => {
    const folder = join(installation.folder, 'killed');
    const args = ['--token-file', installation.tokenFile, '--folder', folder];
    const killed = installation.agent(args, ENGINE);
    const mark = 100_000 + process.pid;
    const run = await installation.run(await installation.workspace(), {
      'main.tf': SLEEPS.replace('sleep 300', `sleep ${mark}`),
    });
    await installation.untilLogged(run, 'apply', 'begun');
    killed.signal('SIGKILL');
    await killed.ended();
    await expect.poll(() => execFileSync('ps', ['-eo', 'args']).toString()).not.toContain(`sleep ${mark}`);
    const next = installation.agent(args, ENGINE);
    await expect.poll(() => next.stderr).toContain(`${folder}/kept/${run}.tfstate`);
    expect(JSON.parse(readFileSync(`${folder}/kept/${run}.tfstate`, 'utf8')).resources).not.toEqual([]);
    next.signal('SIGTERM');
    expect((await next.ended()).code).toBe(0);
  });
});
