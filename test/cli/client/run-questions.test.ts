import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { type RunAgent, startRunAgent } from '../../support/cli/run-agent.ts';
import { inTerminal } from '../../support/cli/terminal.ts';

const CTRL_C = '\u0003';

/** Runs the commands in a terminal; the test is the agent and the person who types. */
describe('lockkeeper run, which asks', { timeout: 90_000 }, () => {
  let cli: CliClient;
  let agent: RunAgent;
  let run: string;
  beforeAll(async () => {
    cli = await startCliClient();
    agent = await startRunAgent(cli);
    const workspace = { data: { type: 'workspaces', id: await agent.workspace('network') } };
    run = (await cli.made('/runs', 'runs', {}, { workspace })).id;
    await agent.execute('plan');
  });
  afterAll(() => cli.stop());

  async function answered(args: readonly string[], answer: string) {
    const command = inTerminal(args, cli.environment);
    await expect.poll(() => command.stdout, { timeout: 30_000 }).toContain('Only "yes" is accepted: ');
    command.process.stdin?.write(answer);
    const { code, stdout } = await command.ended();
    return { code, lines: stdout.replaceAll('\r', '').trim().split('\n') };
  }

  it('Ctrl-C at the question ends with 130 and the next step', async () => {
    const hint = `lockkeeper: Nothing was changed. The run waits: lockkeeper run confirm ${run} or lockkeeper run discard ${run}`;
    for (const args of [
      ['run', 'follow', run],
      ['run', 'confirm', run],
    ]) {
      const { code, lines } = await answered(args, CTRL_C);
      expect([code, lines.at(-1)]).toEqual([130, hint]);
      expect(lines.join('\n')).not.toContain('AbortError');
    }
    const { code, lines } = await answered(['run', 'confirm', run], 'no\r');
    expect([code, lines.at(-1)]).toEqual([1, hint]);
    expect(await cli.ok('run', 'show', run, '--field', 'status')).toBe('planned\n');
  });
});
