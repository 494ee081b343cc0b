import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { plain } from '../tofu/configurations.ts';
import { CLIENTS, flat, prints, Remote } from './remote.ts';

const PLAIN = ['-no-color', '-input=false'];

let server: Remote;
beforeAll(async () => {
  server = await Remote.start();
});
afterAll(() => server.stop());

describe.concurrent.each(CLIENTS)('$client, $backend: behind another run', ({ client, program, backend }) => {
  /** Creates a workspace whose run waits for confirmation. */
  async function held(what: string, { onTestFinished }: TestContext) {
    const name = `${what}-${client}-${backend}`;
    const here = await server.project(name, plain('app'), { program, backend });
    const first = here.start(['apply', '-no-color'], null);
    onTestFinished(() => void first.process.kill('SIGKILL'));
    await prints(first, /Enter a value/);
    return { name, here, first };
  }

  it('shows the number of runs before it, and then runs', async (context) => {
    const { here, first } = await held('queued', context);
    const second = here.start(['apply', '-auto-approve', ...PLAIN]);
    context.onTestFinished(() => void second.process.kill('SIGKILL'));
    await prints(second, /Waiting for 1 run\(s\) to finish before being queued\.\.\./);
    first.process.stdin?.end('yes\n');
    expect((await first.ended).code).toBe(0);
    const { code, stdout, stderr } = await second.ended;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('No changes.');
  });

  it('gives up after -lock-timeout, and leaves no run behind', async (context) => {
    const { name, here, first } = await held('late', context);
    const { code, stdout, stderr } = await here.run('apply', '-auto-approve', '-lock-timeout=2s', ...PLAIN);
    // The client decides its exit code by the status that it read before it canceled the run.
    expect(code, stdout).toBe(0);
    expect(flat(stdout + stderr)).toContain('Lock timeout exceeded, sending interrupt to cancel the remote operation.');
    await server.runIs(name, 'canceled');
    first.process.stdin?.end('yes\n');
    expect((await first.ended).code).toBe(0);
  });

  it('a speculative plan does not wait', async (context) => {
    const { here, first } = await held('beside', context);
    expect(await here.done('plan', ...PLAIN)).toContain('Plan: 1 to add');
    first.process.stdin?.end('no\n');
    await first.ended;
  });
});

describe.concurrent.each(CLIENTS)(
  '$client, $backend: behind a lock of another user',
  ({ client, program, backend }) => {
    it('reports it, after other runs too, and continues once it is unlocked', async ({ onTestFinished }) => {
      const name = `locked-${client}-${backend}`;
      const here = await server.project(name, plain('app'), { program, backend });
      await here.done('apply', '-auto-approve', ...PLAIN);
      const { id } = await server.installation.workspace(name);
      const act = (action: string) =>
        server.installation.create(`/api/v2/workspaces/${id}/actions/${action}`, 'workspaces', {});
      await act('lock');
      const second = here.start(['apply', '-auto-approve', ...PLAIN]);
      onTestFinished(() => void second.process.kill('SIGKILL'));
      await prints(second, /Waiting for the manually locked workspace to be unlocked/);
      expect((await server.run(name))['waiting-for']).toMatch(/^The workspace is locked by user /);
      await act('unlock');
      const { code, stderr } = await second.ended;
      expect(code, stderr).toBe(0);
    });
  },
);
