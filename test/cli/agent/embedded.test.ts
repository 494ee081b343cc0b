import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation } from '../../support/runner/installation.ts';
import { hasEngine } from '../../support/runner/run.ts';

const EMBEDDED = 'execution: embedded, embedded_agent: { isolation: none, directory: agent }';

describe.skipIf(!hasEngine)('the agent that a server starts itself (needs terraform)', { timeout: 120_000 }, () => {
  let installation: Installation;
  beforeAll(async () => {
    // OpenTofu is the default engine of a workspace.
    const engines = mkdtempSync(join(tmpdir(), 'engines-'));
    symlinkSync(execFileSync('which', ['terraform']).toString().trim(), join(engines, 'tofu'));
    installation = await Installation.start(EMBEDDED, { PATH: `${engines}:${process.env.PATH}` });
  });
  afterAll(() => installation.stop());

  const remote = (): Promise<string> =>
    installation.workspace({ 'execution-mode': 'remote', 'agent-pool-id': undefined });
  const childrenOf = (pid: number): string => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const sleeps = {
    'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo begun; sleep 300 & wait" }
}`,
  };

  test('executes runs of remote workspaces', async () => {
    const run = await installation.run(await remote(), { 'main.tf': 'resource "terraform_data" "a" {}' });
    await installation.until(run, 'applied');
  });

  test('stops with it, and says what became of the run', async () => {
    const run = await installation.run(await remote(), sleeps);
    await installation.untilLogged(run, 'apply', 'begun');
    await installation.endServer('SIGTERM');
    await installation.startServer();
    await installation.until(run, 'errored');
    expect(await installation.logOf(run, 'apply')).toContain('The agent was stopped and interrupted the run');
  });

  test('does not outlive a server that is killed', async () => {
    const agent = childrenOf(installation.serverPid);
    expect(agent).toMatch(/^\d+$/);
    await installation.endServer('SIGKILL');
    await expect.poll(() => existsSync(`/proc/${agent}`), { timeout: 20_000 }).toBe(false);
  });
});
