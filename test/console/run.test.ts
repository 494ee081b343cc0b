import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole } from './support/console.ts';
import { agentsOf, PLAN, PLANNED, SAID } from './support/runs.ts';

const SCRIPT = '<script>alert(1)</script>';

describeConsole('a run', () => {
  const on = bench();
  let pools = 0;
  /** Each test has its own pool, so that it does not get jobs of another test. */
  const pool = () => agentsOf(on(), `pool-${++pools}`);
  const at = (workspace: string, run: string, more = '') => `/acme/workspaces/${workspace}/runs/${run}${more}`;
  const open = (place: string, token = on().server.userToken) => on().openAs(token, place);

  it('is started, followed, confirmed and applied', async () => {
    const agents = await pool();
    await agents.workspace('network');
    const page = await open('/acme/workspaces/network/runs');
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'Start run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a run of network' });
    await dialog.getByLabel('Message').fill(`widen ${SCRIPT}`);
    await dialog.getByText('Targets, replacements and variables').click();
    await dialog.getByLabel('Targets').fill('aws_instance.a\n\naws_instance.b');
    await dialog.getByLabel('Variables').fill('size 3');
    await dialog.getByText('Not a variable: size 3').waitFor();
    await dialog.getByLabel('Variables').fill('size = 3');
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.getByRole('heading', { name: `widen ${SCRIPT}`, level: 1 }).waitFor();
    await page.getByText('You can confirm the run when the plan is ready').waitFor();

    const plan = await agents.take();
    await plan.say('Initializing provider plugins...\n');
    const log = page.getByRole('region', { name: 'Log of the plan' });
    await log.getByText('Initializing provider plugins...').waitFor();
    await page.getByText('following').waitFor();
    await plan.say(SAID);
    await plan.handIn(PLAN);
    await plan.finish('finished', PLANNED);
    await page.getByText('Applying adds 3 and changes 1, and destroys 2 resources.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'waiting for confirmation' }).waitFor();
    await page.getByRole('button', { name: '1 to replace' }).waitFor();

    await page.getByLabel('Comment', { exact: true }).fill('window is open');
    await page.getByRole('button', { name: 'Confirm and apply' }).click();
    const apply = await agents.take();
    await apply.say('aws_network_acl_rule.legacy_8443: Destroying... [id=nacl-2791]\n');
    await page.getByText('0 of 1 destroyed').waitFor();
    await apply.say('aws_network_acl_rule.legacy_8443: Destruction complete after 1s\n');
    await page.getByText('1 of 1 destroyed').waitFor();
    await page.getByText('Changes that are already applied stay after a cancellation').waitFor();
    await apply.finish('finished', PLANNED);
    await page.getByRole('listitem').filter({ hasText: 'Done' }).filter({ hasText: 'UTC' }).waitFor();
    expect(await page.getByRole('region', { name: 'Decision' }).count()).toBe(0);

    await page.getByRole('link', { name: 'History and details' }).click();
    const said = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await said.filter({ hasText: 'window is open' }).filter({ hasText: 'first' }).waitFor();
    await page.getByRole('row', { name: 'size 3' }).waitFor();
    await page.getByText('aws_instance.b').waitFor();
    await page.getByLabel('Comment', { exact: true }).fill(`well ${SCRIPT}`);
    await page.getByRole('button', { name: 'Add comment', exact: true }).click();
    await said.filter({ hasText: `well ${SCRIPT}` }).waitFor();
  });

  it('can be discarded or canceled', async () => {
    const agents = await pool();
    const id = await agents.workspace('unwanted');
    const first = await agents.run(id);
    const plan = await agents.take();
    await plan.finish('finished', PLANNED);
    const second = await agents.run(id);
    const page = await open(at('unwanted', first));
    await page.getByText('The client that made the plan did not upload it as data.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('discarded').waitFor();

    const other = await agents.take();
    expect(other.runId).toBe(second);
    await page.goto(`/app${at('unwanted', second)}`);
    await page.getByRole('button', { name: 'Cancel run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the run' });
    await dialog.getByRole('button', { name: 'Cancel run' }).click();
    await page.getByText('The run is being canceled').waitFor();
    const force = page.getByRole('button', { name: 'Force cancel…' });
    expect(await force.getAttribute('aria-disabled')).toBe('true');
    on().server.advance(120);
    await page.locator('button:not([aria-disabled])', { hasText: 'Force cancel…' }).click();
    const sure = page.getByRole('dialog', { name: 'Force-cancel the run' });
    expect(await sure.getByRole('button', { name: 'Force cancel' }).getAttribute('aria-disabled')).toBe('true');
    await sure.getByLabel('Name of the workspace').fill('unwanted');
    await sure.getByRole('button', { name: 'Force cancel' }).click();
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('force canceled').waitFor();
  });

  it('destroys all resources only after the user types the name', async () => {
    const agents = await pool();
    await agents.workspace('doomed');
    const page = await open('/acme/workspaces/doomed/runs');
    await page.getByRole('button', { name: 'Start run…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type').selectOption('Destroy');
    const start = dialog.getByRole('button', { name: 'Start run' });
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Name of the workspace').fill('doomed');
    await start.click();
    await page.getByText('Destroy run of').waitFor();
    const job = await agents.take();
    await job.finish('failed');
    await page.getByText('Failed. The log shows the reason.').waitFor();
  });

  it('shows no buttons to a user with only read access', async () => {
    const agents = await pool();
    const id = await agents.workspace('read-only');
    const run = await agents.run(id);
    const plan = await agents.take();
    await plan.handIn(PLAN);
    await plan.finish('finished', PLANNED);
    const reader = await on().openAs(await colleague(on(), 'rhea', id, 'read'), at('read-only', run));
    await reader.getByText('A user with permission to apply must confirm it.').waitFor();
    await reader.getByRole('button', { name: '1 to replace' }).waitFor();
    expect(await reader.getByRole('region', { name: 'Decision' }).getByRole('button').count()).toBe(0);
    await reader.getByRole('link', { name: 'History and details' }).click();
    await reader.getByText('plan queued').waitFor();
    expect(await reader.getByLabel('Comment', { exact: true }).count()).toBe(0);
    await reader.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Runs' }).click();
    await reader.getByText('1 run', { exact: true }).waitFor();
    expect(await reader.getByRole('button', { name: 'Start run…' }).count()).toBe(0);
  });

  it('shows its plan by resource and masks sensitive values; the URL contains the filters', async () => {
    const agents = await pool();
    const id = await agents.workspace('planned');
    const run = await agents.run(id, { 'plan-only': true });
    const plan = await agents.take();
    await plan.handIn(PLAN);
    await plan.finish('finished', PLANNED);
    const page = await open(at('planned', run));
    const resources = page.getByRole('list', { name: 'Resources' }).locator('> li');
    await page.getByText('11 unchanged resources').waitFor();
    expect(await resources.count()).toBe(5);
    await page.getByRole('row', { name: 'description "egress, 2 ranges" "egress, 4 ranges"' }).waitFor();
    await page.getByRole('row', { name: 'password (sensitive) (sensitive)' }).waitFor();
    await page.getByRole('row', { name: 'id known after apply' }).waitFor();
    await page.getByText('aws_route53_record.<script>alert(1)</script>', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Outputs' }).getByText('b.example').waitFor();
    await page.getByRole('list', { name: 'Drift' }).getByText('aws_instance.bastion').waitFor();
    await page.getByRole('button', { name: '2 to add' }).click();
    await page.getByLabel('Filter by address').fill('EGRESS');
    await expect.poll(() => resources.count()).toBe(1);
    await expect.poll(() => new URL(page.url()).search).toBe('?operation=add&resource=EGRESS');
    await page.reload();
    await page.getByText('module.egress.aws_security_group_rule.out[2]', { exact: true }).waitFor();
    expect(await resources.count()).toBe(1);
  });

  it('interprets only colors of the escape sequences in a log', async () => {
    const agents = await pool();
    const run = await agents.run(await agents.workspace('hostile'), { 'plan-only': true });
    const plan = await agents.take();
    await plan.say(SAID);
    await plan.finish('finished', {});
    const page = await open(at('hostile', run));
    const log = page.getByRole('region', { name: 'Log of the plan' });
    await log.getByText('Plan: 3 to add, 1 to change, 2 to destroy.').waitFor();
    await log.getByText('<script>alert(1)</script><img src=x onerror=alert(2)>').waitFor();
    await log.getByText('after the title of a terminal').waitFor();
    await log.getByText('name: مرحبا بالعالم right to left').waitFor();
    expect(await log.locator('script, img').count()).toBe(0);
    expect(await page.title()).not.toContain('evil');
  });

  it('a log of 16 MB can be searched, and has links to lines', async () => {
    const agents = await pool();
    const run = await agents.run(await agents.workspace('long'), { 'plan-only': true });
    const plan = await agents.take();
    const line = (n: number) => `${String(n).padStart(6, '0')} ${'x'.repeat(72)}`;
    const lines = Array.from({ length: 200_000 }, (_, n) => (n === 149_999 ? 'the Needle is here' : line(n + 1)));
    await plan.say(`${lines.join('\n')}\n`);
    await plan.finish('finished', {});
    const page = await open(at('long', run));
    await page.getByText('200,000 lines').waitFor();
    const log = page.getByRole('region', { name: 'Log of the plan' });
    const elements = () => page.evaluate<number>('document.getElementsByTagName("*").length');
    expect(await elements()).toBeLessThan(500);
    const find = page.getByLabel('Find in the log');
    await find.fill('needle');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await log.getByText('the Needle is here').waitFor();
    await find.fill(':123456');
    await find.press('Enter');
    await log.getByText('123456 xxx').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('#L123456');
    await log.getByRole('link', { name: 'Line 123457', exact: true }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#L123457');
    await page.reload();
    await log.locator('[aria-current]').getByText('123457 xxx').waitFor();
    expect(await inView(log.locator('[aria-current]'))).toBe(true);
    expect(await elements()).toBeLessThan(500);
    await find.fill('00000 x');
    await page.getByText('1 of 2', { exact: true }).waitFor();
    await find.press('Enter');
    await page.getByText('2 of 2', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the log' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${run}-plan.log`);
  }, 120_000);

  it('the log stops following after the user scrolls up', async () => {
    const agents = await pool();
    const run = await agents.run(await agents.workspace('followed'), { 'plan-only': true });
    const plan = await agents.take();
    const say = (from: number, to: number) =>
      plan.say(Array.from({ length: to - from }, (_, n) => `line ${from + n}.\n`).join(''));
    await say(0, 200);
    const page = await open(at('followed', run));
    const log = page.getByRole('region', { name: 'Log of the plan' });
    await log.getByText('line 199.').waitFor();
    await say(200, 300);
    await log.getByText('line 299.').waitFor();
    await log.hover();
    await page.mouse.wheel(0, -1_500);
    await page.getByRole('button', { name: 'Follow' }).waitFor();
    await say(300, 314);
    await page.getByRole('button', { name: '14 new lines' }).click();
    await log.getByText('line 313.').waitFor();
    await say(314, 315);
    await log.getByText('line 314.').waitFor();
    await plan.finish('finished', {});
    await page.getByText('315 lines').waitFor();
  });

  it('is found in the lists of runs by the filters in the URL', async () => {
    const agents = await pool();
    const id = await agents.workspace('listed');
    await agents.run(id, { message: 'the applied one', 'plan-only': true });
    await (await agents.take()).finish('finished', {});
    await agents.run(id, { message: 'the broken one', 'plan-only': true });
    await (await agents.take()).finish('failed');
    const page = await open('/acme/workspaces/listed/runs');
    await page.getByRole('button', { name: 'errored 1' }).click();
    await page.getByText('1 matching run').waitFor();
    await page.getByRole('link', { name: 'the broken one' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=errored');
    await page.goto('/app/acme/runs?search=the%20applied&operation=plan_only');
    await page.getByRole('row', { name: /the applied one.*listed/ }).waitFor();
    // The message is not cut, although the list has a column more than that of one workspace.
    await page.getByRole('columnheader', { name: 'Message' }).waitFor();
    const message = page.getByRole('link', { name: 'the applied one' });
    for (const width of [1440, 1280, 1100, 1000]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await message.evaluate(({ parentElement: cell }) => cell && cell.scrollWidth <= cell.clientWidth)).toBe(
        true,
      );
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove filter: operation' }).click();
    // The counts ignore the filters.
    await page.getByRole('button', { name: /^errored [1-9]/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'the applied one', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  });
});

/** Returns whether the line is completely visible in its pane. */
function inView(line: ReturnType<Page['locator']>): Promise<boolean> {
  return line.evaluate((element) => {
    const pane = element.closest('section')?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return pane !== undefined && top >= pane.top && bottom <= pane.bottom;
  });
}
