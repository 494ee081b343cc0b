import { beforeAll, expect, it } from 'vitest';
import { databaseKinds } from '../../support/databases.ts';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';

describeConsole.each(databaseKinds)('the explorer on %s', (kind) => {
  const on = bench(kind);
  beforeAll(async () => {
    for (const name of ['network', 'payments', 'search']) await makeWorkspace(on(), name);
  });

  it('filters, sorts and chooses columns; the URL contains the query', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/explorer');
    await page.getByText('3 found').waitFor();
    // A workspace that was never assessed is not known to be without drift.
    expect(await page.getByRole('row', { name: 'network' }).getByRole('cell').nth(2).innerText()).toBe('–');
    await page.getByLabel('Value').fill('NET');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByText('1 found').waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['network']);
    await page.getByLabel('Sort by').selectOption('-workspace_name');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: /^Drifted/ }).click();
    await page.getByRole('columnheader', { name: 'Drifted', exact: true }).waitFor({ state: 'detached' });
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('where')).toBe('workspace_name contains NET');
    expect(searchParams.get('sort')).toBe('-workspace_name');
    await page.reload();
    await page.getByText('1 found').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Workspace name' }).click();
    await page.getByText('3 found').waitFor();
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['search', 'payments', 'network']);
  });

  it('saves a view, opens it, downloads it as CSV and deletes it', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/explorer?where=workspace_name%20contains%20pay');
    await page.getByText('1 found').waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Payments');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Payments' }).waitFor();

    await page.goto('/app/acme/explorer?type=tf_versions');
    await page.getByRole('columnheader', { name: 'Workspace count' }).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByRole('menuitem', { name: 'Payments' }).click();
    await page.getByRole('rowheader', { name: 'payments' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    expect((await downloading).suggestedFilename()).toBe('acme-workspaces.csv');

    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('button', { name: 'Saved views' }).waitFor();
    await page.getByText('3 found').waitFor();
  });
});
