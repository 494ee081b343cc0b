import { expect, it } from 'vitest';
import { parseExactJson } from '../../src/lib/exact-json/exact-json.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { agentsOf } from './support/runs.ts';
import { resource, stateText, writeState } from './support/states.ts';

const BIG = '9007199254740993';
const NEXT = '9007199254740995';

describeConsole('numbers that a double cannot hold', () => {
  const on = bench();
  const openAt = (place: string) => on().openAs(on().server.userToken, `/acme/${place}`);
  const stateOf = (serial: number, id: string) =>
    stateText({
      serial,
      resources: [resource('aws_x.main', { id: parseExactJson(id) })],
      outputs: { id: { value: parseExactJson(id), type: 'number' } },
    });

  it('keep all digits of the state, in outputs and in comparisons', async () => {
    const id = await makeWorkspace(on(), 'numbers');
    for (const [at, value] of [BIG, NEXT].entries()) await writeState(on(), id, stateOf(at + 1, value));
    const outputs = await openAt('workspaces/numbers/outputs');
    await outputs.getByText(NEXT, { exact: true }).waitFor();
    const states = await openAt('workspaces/numbers/states');
    const compared = states.getByRole('region', { name: 'From 1 to 2' });
    await compared.getByRole('button', { name: 'changed aws_x.main' }).click();
    const value = compared.getByRole('definition').filter({ hasText: `before: ${BIG}` });
    expect(await value.innerText()).toContain(NEXT);
  });

  it('keep all digits of the plan', async () => {
    const agents = await agentsOf(on());
    const run = await agents.run(await agents.workspace('planned'));
    const job = await agents.take();
    const change = { actions: ['update'], before: { id: parseExactJson(BIG) }, after: { id: parseExactJson(NEXT) } };
    await job.handIn({
      resource_changes: [{ address: 'aws_x.main', mode: 'managed', type: 'aws_x', name: 'main', change }],
    });
    await job.finish('finished', { exit: 0, 'has-changes': true });
    const page = await openAt(`workspaces/planned/runs/${run}`);
    await page.getByText(NEXT).first().waitFor();
    await page.getByText(BIG).first().waitFor();
  });
});
