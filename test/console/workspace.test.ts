import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { agentsOf } from './support/runs.ts';

const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>';

describeConsole('a workspace', () => {
  const on = bench();

  it('is locked with a reason; another user sees it and forces the unlock', async () => {
    const id = await makeWorkspace(on(), 'contended');
    const holder = await on().openAs(on().server.userToken, '/acme/workspaces/contended');
    await holder.getByRole('button', { name: 'Lock…' }).click();
    await holder.getByLabel('Reason').fill(SCRIPT);
    await holder.getByRole('button', { name: 'Lock', exact: true }).click();
    await holder.getByText(`“${SCRIPT}”`).waitFor();

    const admin = await on().openAs(await colleague(on(), 'mara', id, 'admin'), '/acme/workspaces/contended');
    await admin.getByText('Locked by first').waitFor();
    await admin.getByRole('button', { name: 'Force unlock…' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Force unlock of contended' });
    const force = dialog.getByRole('button', { name: 'Force unlock' });
    expect(await force.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Name of the workspace').fill('contended');
    await force.click();
    await admin.getByText('Unlocked.').waitFor();
    await admin.getByRole('link', { name: 'Lock history' }).click();
    const row = admin.getByRole('row', { name: 'force-unlocked' });
    await row.getByText('mara').waitFor();
    await row.getByText(SCRIPT).waitFor();
    // The page of the former holder shows the change without a reload.
    await holder.getByText('Unlocked.').waitFor();
  });

  it('locked by a run links to the run, which releases the lock', async () => {
    const agents = await agentsOf(on());
    const run = await agents.run(await agents.workspace('running'));
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/running');
    await page.getByText('The run releases the lock when it ends').waitFor();
    expect(await page.getByRole('button', { name: 'Unlock', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Open run' }).click();
    await page.waitForURL(`**/app/acme/workspaces/running/runs/${run}`);
  });

  it('shows no buttons to a user with only read access', async () => {
    const id = await makeWorkspace(on(), 'read-only');
    await on().server.user('POST', `/api/v2/workspaces/${id}/actions/lock`, { reason: 'maintenance' });
    const reader = await on().openAs(await colleague(on(), 'priya', id, 'read'), '/acme/workspaces/read-only');
    await reader.getByText('You have no permission to unlock it').waitFor();
    const buttons = await reader.getByRole('main').getByRole('button').allInnerTexts();
    expect(buttons.filter((text) => !text.startsWith('ws-'))).toEqual([]);
    await reader.getByRole('link', { name: 'Workspaces', exact: true }).first().click();
    await reader.getByText('1 workspace in acme').waitFor();
  });

  it('shows the tool that created it, as a link', async () => {
    const attributes = { name: 'made', 'source-name': 'the pipeline', 'source-url': 'https://pipeline.example/7' };
    const body = { data: { type: 'workspaces', attributes } };
    expect((await on().server.user('POST', '/api/v2/organizations/acme/workspaces', body)).status).toBe(201);
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/made');
    const link = page.getByRole('link', { name: 'the pipeline' });
    expect(await link.getAttribute('href')).toBe('https://pipeline.example/7');
  });

  it('a workspace that does not exist shows an error', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/nowhere');
    await page.getByRole('heading', { name: 'nowhere: not found, or no access' }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('404')),
    ).toBe(true);
  });

  it('is found under the URLs that command lines print', async () => {
    await makeWorkspace(on(), 'printed');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/printed');
    await page.getByRole('heading', { name: 'printed', level: 1 }).waitFor();
    await page.goto('/app/acme/printed/runs/run-0000000000000000');
    await page.getByRole('heading', { name: 'Run run-0000000000000000: not found, or no access' }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('404')),
    ).toBe(true);
  });
});
