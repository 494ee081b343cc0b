import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import type { Project, Running } from '../tofu/project.ts';
import { Gate } from './gate.ts';
import { CLIENTS, eventually, flat, prints, Remote } from './remote.ts';

const APPLY = ['apply', '-no-color'];
/** A slow apply that starts after another resource has been applied. */
const SLOW = `${plain('done')}resource "terraform_data" "slow" {
  depends_on = [terraform_data.done]
  provisioner "local-exec" { command = "echo it begins; sleep 30" }
}
`;

let server: Remote;
beforeAll(async () => {
  server = await Remote.start(8, true);
});
afterAll(() => server.stop());

/** A command line with a terminal. */
function typed(
  here: Project,
  { onTestFinished }: TestContext,
  args: readonly string[] = APPLY,
): { running: Running; interrupt(): void; answer(): void } {
  const running = here.start(args, null);
  onTestFinished(() => void running.process.kill('SIGKILL'));
  return {
    running,
    interrupt: () => void running.process.kill('SIGINT'),
    answer: () => void running.process.stdin?.write('yes\n'),
  };
}

/**
 * Exit code of a command line that has canceled its run: it decides by the run status that it read before it canceled.
 */
const CANCELED = 0;
const ASKED = /Do you want to cancel the remote operation\?/;

describe.concurrent.each(CLIENTS)('Ctrl-C in $client, $backend', ({ client, program, backend }) => {
  const nameOf = (what: string) => `${what}-${client}-${backend}`;
  const make = (what: string, configuration: string) =>
    server.project(nameOf(what), configuration, { program, backend });

  it('while the run waits: it is canceled after a confirmation', async (context) => {
    const here = await make('waiting', plain('app'));
    const { id } = await server.installation.workspace(nameOf('waiting'));
    await server.installation.call('POST', `/api/v2/workspaces/${id}/actions/lock`, { body: {} });
    const { running, interrupt, answer } = typed(here, context);
    await server.runIs(nameOf('waiting'), 'pending');
    await prints(running, /Waiting for/);
    interrupt();
    await prints(running, ASKED);
    answer();
    const { code, stdout } = await running.ended;
    expect([code, flat(stdout)]).toEqual([
      CANCELED,
      expect.stringContaining('remote operation was successfully cancelled'),
    ]);
    await server.runIs(nameOf('waiting'), 'canceled');
  });

  it('during the plan: the engine is interrupted', async (context) => {
    const gate = await Gate.start();
    context.onTestFinished(() => gate.stop());
    const here = await make('planning', gate.configuration);
    const { running, interrupt, answer } = typed(here, context);
    await eventually(() => expect(gate.isAsked).toBe(true));
    await prints(running, /Initializing plugins and modules/);
    interrupt();
    await prints(running, ASKED);
    answer();
    await eventually(async () => expect((await server.run(nameOf('planning')))['canceled-at']).toBeTruthy());
    gate.open();
    expect((await running.ended).code).toBe(CANCELED);
    await server.runIs(nameOf('planning'), 'canceled');
    expect((await server.installation.workspace(nameOf('planning'))).attributes.locked).toBe(false);
  });

  it('at the confirmation: the run continues to wait', async (context) => {
    const here = await make('asked', plain('app'));
    const { running, interrupt } = typed(here, context);
    await prints(running, /Enter a value/);
    interrupt();
    await running.ended;
    expect(await server.run(nameOf('asked'))).toMatchObject({ status: 'planned', actions: { 'is-confirmable': true } });
  });

  it('during the apply: the engine stops as it does on Ctrl-C, and its state is kept', async (context) => {
    const here = await make('applying', SLOW);
    const { running, interrupt } = typed(here, context, [...APPLY, '-auto-approve']);
    await prints(running, /local-exec.*it begins/);
    interrupt();
    expect((await running.ended).code).toBe(CANCELED);
    await server.runIs(nameOf('applying'), 'canceled');
    expect(await server.resources(nameOf('applying'))).toContain('terraform_data.done');
    expect((await server.installation.workspace(nameOf('applying'))).attributes.locked).toBe(false);
  });

  it('twice: the command line exits, and the run continues', async (context) => {
    const here = await make('twice', SLOW.replace('sleep 30', 'sleep 10'));
    const { running, interrupt, answer } = typed(here, context);
    await prints(running, /Enter a value/);
    answer();
    await prints(running, /local-exec.*it begins/);
    interrupt();
    await prints(running, ASKED);
    interrupt();
    expect((await running.ended).code).toBe(1);
    await server.runIs(nameOf('twice'), 'applied');
    expect((await server.resources(nameOf('twice'))).sort()).toEqual(['terraform_data.done', 'terraform_data.slow']);
  });
});
