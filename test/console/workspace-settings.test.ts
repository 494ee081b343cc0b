import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';

describeConsole('the settings of a workspace', () => {
  const on = bench();
  const shown = async (name: string) =>
    (await on().server.user('GET', `/api/v2/organizations/acme/workspaces/${name}`)).body.data;

  it('only changed settings are sent, and errors of the server are shown', async () => {
    await makeWorkspace(on(), 'plain');
    await makeWorkspace(on(), 'taken');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/plain/settings');
    await page.getByLabel('Execution mode').selectOption('local');
    await page.getByLabel('Auto-apply').check();
    await page.getByLabel('Engine version').fill('no version at all');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Engine version').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Engine version').fill('1.11.0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect((await shown('plain')).attributes).toMatchObject({
      'execution-mode': 'local',
      'auto-apply': true,
      'engine-version': '1.11.0',
      'setting-overwrites': { 'execution-mode': true },
    });
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await page.getByText('no longer find the workspace').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL('**/app/acme/workspaces/renamed/settings');
    await page.getByRole('heading', { name: 'renamed', level: 1 }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('the workspace is deleted after its name is typed', async () => {
    const id = await makeWorkspace(on(), 'gone-soon');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/gone-soon/settings');
    await page.getByRole('button', { name: 'Delete workspace gone-soon…' }).click();
    const dialog = page.getByRole('dialog');
    const sure = dialog.getByRole('button', { name: 'Delete', exact: true });
    expect(await sure.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('textbox').fill('gone-soon');
    await sure.click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    expect((await on().server.user('GET', `/api/v2/workspaces/${id}`)).status).toBe(404);
    on().complaints.splice(0);
  });

  it('are read-only without permission to change them', async () => {
    const id = await makeWorkspace(on(), 'only-read');
    const token = await colleague(on(), 'ria', id, 'read');
    const page = await on().openAs(token, '/acme/workspaces/only-read/settings');
    await page.getByText('Requires can-update').first().waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('readonly')).not.toBeNull();
    expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  });
});
