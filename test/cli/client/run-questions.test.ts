import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliClient, startCliClient } from '../../support/cli/cli-client.ts';
import { type RunAgent, startRunAgent } from '../../support/cli/run-agent.ts';
import { inTerminal } from '../../support/cli/terminal.ts';
import { Command } from '../../support/command.ts';

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

  it('the hints for a run that waits, and for the lock that it holds, name the commands that decide it', async () => {
    const hint = `lockkeeper run confirm ${run} or lockkeeper run discard ${run}`;
    const next = new Command(['run', 'start', 'network'], { ...cli.environment });
    next.process.stdin?.end();
    const text = `Run ${run} of this workspace must be confirmed or discarded first: ${hint}\n`;
    await expect.poll(() => next.stderr, { timeout: 30_000 }).toContain(text);
    const [, waiting = ''] = /^Run (run-\w+)$/m.exec(next.stderr) ?? [];
    await cli.ok('run', 'discard', waiting);
    expect((await next.ended()).code).toBe(1);
    const refused = await cli.run(['workspace', 'lock', 'network']);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining(hint)]);
  });

  it('lists show the run that holds the lock', async () => {
    const rows = JSON.parse(await cli.ok('workspace', 'list', '--json', 'name,locked-by'));
    expect(rows).toEqual([{ name: 'network', 'locked-by': run }]);
    const shown = await cli.ok('workspace', 'show', 'network');
    expect(shown).toMatch(new RegExp(`^locked-by +${run}, \\d+ s$`, 'm'));
  });

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
