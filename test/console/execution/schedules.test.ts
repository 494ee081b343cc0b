import { expect, it } from 'vitest';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { makeOf } from '../support/organization.ts';

describeConsole('the schedules pages', () => {
  const on = bench();

  it('a schedule is created with a preview of its times, paused, changed and deleted', async () => {
    await makeWorkspace(on(), 'timed');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/timed/settings/schedules');
    await page.getByText('No schedules yet').waitFor();
    await page.getByRole('button', { name: 'New schedule…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('nightly');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByLabel('Cron expression').fill('0 25 * * *');
    await dialog.getByText('Cron cannot be read: Invalid value for hour: 25').first().waitFor();
    await dialog.getByLabel('Cron expression').fill('30 2 * * 1-5');
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(5);
    await dialog.getByLabel('Operation').selectOption('drift');
    await dialog.getByRole('button', { name: 'Create schedule' }).click();
    const row = page.getByRole('row', { name: 'nightly' });
    await row.getByText('Nothing yet').waitFor();
    await row.getByRole('button', { name: 'Pause nightly' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Change nightly…' }).click();
    await dialog.getByLabel('Jitter in seconds').fill('600');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByRole('button', { name: 'Outcomes of nightly' }).click();
    await dialog.getByText('No outcomes yet').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('button', { name: 'Delete schedule nightly…' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No schedules yet').waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('a workspace shows the schedules of its project, and excludes itself', async () => {
    const make = makeOf(on());
    const id = await makeWorkspace(on(), 'inherits');
    const { body } = await on().server.user('GET', `/api/v2/workspaces/${id}`);
    const project = body.data.relationships.project.data.id;
    const times = { cron: '0 3 * * 0', operation: 'plan' };
    const schedule = await make(`/projects/${project}/schedules`, 'schedules', { name: 'weekly', ...times });
    const page = await on().openAs(on().server.userToken, `/acme/projects/${project}/schedules`);
    await page.getByRole('row', { name: 'weekly' }).getByText('0 3 * * 0').waitFor();
    await page.goto('/app/acme/workspaces/inherits/settings/schedules');
    const row = page.getByRole('row', { name: 'weekly' });
    await row.getByText('of the project').waitFor();
    await row.getByRole('button', { name: 'Exclude this workspace from weekly' }).click();
    await row.getByText('Excluded').waitFor();
    await row.getByRole('button', { name: 'Include this workspace in weekly' }).click();
    await row.getByRole('button', { name: 'Exclude this workspace from weekly' }).waitFor();
    await on().server.user('DELETE', `/api/v2/schedules/${schedule}`);
  });
});
