import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { type RunAgent, startRunAgent } from '../../support/cli/run-agent.ts';
import { Command } from '../../support/command.ts';

const DIAGNOSTIC = {
  '@level': 'error',
  '@message': 'Error: No value for required variable',
  type: 'diagnostic',
  diagnostic: {
    severity: 'error',
    summary: 'No value for required variable',
    detail: 'The root module input variable "region" is not set.\n\u001b[2J',
    range: { filename: 'main.tf', start: { line: 2, column: 1, byte: 3 } },
    snippet: { context: null, code: 'variable "region" {', start_line: 2, values: [] },
  },
};
const AS_PRINTED = `Error: No value for required variable

  on main.tf line 2:
     2: variable "region" {

The root module input variable "region" is not set.
\\x1b[2J
`;

/** Runs the commands as processes; the test is the agent. */
describe('lockkeeper run, of a run that fails', { timeout: 90_000 }, () => {
  let cli: CliClient;
  let agent: RunAgent;
  beforeAll(async () => {
    cli = await startCliClient();
    agent = await startRunAgent(cli);
    await agent.workspace('network');
  });
  afterAll(() => cli.stop());

  async function failedRun(log: string) {
    const started = new Command(['run', 'start', 'network'], { ...cli.environment });
    started.process.stdin?.end();
    await expect.poll(() => started.stderr, { timeout: 30_000 }).toMatch(/^Run run-/m);
    const run = await agent.execute('plan', { log, outcome: 'failed' });
    return { run, ...(await started.ended()) };
  }

  it('start and follow print a diagnostic with its place, snippet and detail; show has the reason', async () => {
    const { run, code, stdout } = await failedRun(`${JSON.stringify(DIAGNOSTIC)}\n`);
    expect([code, stdout]).toEqual([1, expect.stringContaining(AS_PRINTED)]);
    expect((await cli.run(['run', 'follow', run])).stdout).toContain(AS_PRINTED);
    const shown = await cli.ok('run', 'show', run);
    expect(shown).toMatch(/^reason +No value for required variable \(on main\.tf line 2\)$/m);
  });

  it('show has the reason of a plain log', async () => {
    const { run } = await failedRun('Initializing\n\u001b[31m│ Error: Invalid provider\u001b[0m\n│ \nmore\n');
    expect(await cli.ok('run', 'show', run)).toMatch(/^reason +Invalid provider$/m);
  });
});
