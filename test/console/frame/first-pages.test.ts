import { expect, it } from 'vitest';
import { makeRun } from '../pages/access/overview.ts';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { makeStates } from '../support/states.ts';

describeConsole('the first pages', () => {
  const on = bench();

  it('a workspace starts a run on its first page', async () => {
    const id = await makeWorkspace(on(), 'starts');
    const open = () => on().openAs(on().server.userToken, '/acme/workspaces/starts');
    const empty = await open();
    await empty.getByText('Upload a configuration first.').waitFor();
    await makeRun(on(), id, 'the first', 'planning', 'errored');
    const page = await open();
    await page.getByRole('button', { name: 'Start run…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a run of starts' });
    await dialog.getByLabel('Message').fill('from the first page');
    await dialog.getByRole('button', { name: 'Start run' }).click();
    await page.waitForURL('**/app/acme/workspaces/starts/runs/run-*');
  });

  it('a workspace whose runs the command line executes offers none', async () => {
    const attributes = { name: 'local', 'execution-mode': 'local' };
    await on().server.user('POST', '/api/v2/organizations/acme/workspaces', {
      data: { type: 'workspaces', attributes },
    });
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/local/runs');
    await page.getByText('Execution mode local: the command line executes the runs.').waitFor();
    expect(await page.getByRole('button', { name: 'Start run…' }).count()).toBe(0);
  });

  it('a workspace lists earlier runs, counts its contents and links to its surroundings', async () => {
    const { id } = await makeStates(on(), 'counted');
    for (const message of ['one', 'two', '<script>alert(3)</script>']) {
      await makeRun(on(), id, message, 'planning', 'errored');
    }
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/counted');
    const earlier = page.getByRole('table', { name: 'Earlier runs' });
    await earlier.getByRole('link', { name: 'two' }).waitFor();
    // The clock of the server stands still, so the order is that of the ids.
    expect((await earlier.getByRole('link').allInnerTexts()).sort()).toEqual(['one', 'two']);
    await page.getByRole('link', { name: 'All 3 runs' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Parts of counted' });
    for (const tab of ['Runs3', 'States2', 'Resources3', 'Outputs3']) {
      await tabs
        .getByRole('link')
        .filter({ hasText: new RegExp(`^${tab}$`) })
        .waitFor();
    }
    await tabs.getByRole('link', { name: 'Variables', exact: true }).waitFor();
    await page.getByRole('link', { name: 'remote' }).waitFor();
    await page.getByRole('link', { name: 'Default Project' }).click();
    await page.getByRole('heading', { name: 'Default Project', level: 1 }).waitFor();
  });

  it('the overview lists the last changes', async () => {
    const id = await makeWorkspace(on(), 'runs-last');
    await makeRun(on(), id, 'a change', 'planning', 'errored');
    const locked = await makeWorkspace(on(), 'locked-last');
    await on().server.user('POST', `/api/v2/workspaces/${locked}/actions/lock`, {});
    const page = await on().openAs(on().server.userToken, '/~overview');
    const changes = page.getByRole('list', { name: 'Last changes' });
    await changes.getByText('locked-last: locked by first').waitFor();
    await changes.getByText('runs-last: run errored').waitFor();
    await changes.getByRole('link', { name: 'locked-last' }).click();
    await page.waitForURL('**/app/acme/workspaces/locked-last');
  });

  it('the audit page leaves out what the console itself reads, unless asked for it', async () => {
    await makeWorkspace(on(), 'audited');
    const page = await on().openBoth('/acme/workspaces/audited');
    await page.getByRole('heading', { name: 'audited', level: 1 }).waitFor();
    await page.goto('/app/~server/audit');
    const table = page.getByRole('table', { name: /^Audit log/ });
    await table.getByRole('link', { name: 'POST /api/v2/organizations/acme/workspaces' }).first().waitFor();
    expect(await table.getByText('/api/v2/organizations/acme/workspaces/audited').count()).toBe(0);
    expect(await table.getByText('/v1/sys/capabilities-self').count()).toBe(0);
    expect(await table.getByRole('link', { name: 'GET /app/~session' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show reads of the console' }).click();
    await table.getByText('/api/v2/organizations/acme/workspaces/audited').first().waitFor();
  });
});
