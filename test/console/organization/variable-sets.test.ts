import { expect, it } from 'vitest';
import { colleague } from '../support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { hostile, makeOf } from '../support/organization.ts';

describeConsole('variable sets', () => {
  const on = bench();

  it('are created with a variable, added to a workspace, where they override its value, removed from it, and deleted', async () => {
    const id = await makeWorkspace(on(), 'shares');
    await makeOf(on())(`/workspaces/${id}/vars`, 'vars', { key: 'region', value: 'own', category: 'terraform' });
    const page = await on().openAs(on().server.userToken, '/acme/variable-sets');
    await page.getByRole('heading', { name: 'No variable sets yet' }).waitFor();
    await page.getByRole('button', { name: 'New variable set' }).click();
    await page.getByLabel('Name', { exact: true }).fill('defaults');
    await page.getByLabel('Priority').check();
    await page.getByRole('button', { name: 'Create variable set' }).click();
    await page.getByRole('heading', { name: 'defaults', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New variable…' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('region');
    await page.getByRole('dialog').getByLabel('Value').fill(hostile);
    await page.getByRole('button', { name: 'Create variable' }).click();
    await page.getByRole('row', { name: 'region' }).getByText(hostile).waitFor();
    await page.getByRole('button', { name: 'Add workspace…' }).click();
    await page.getByRole('combobox', { name: 'Workspace' }).fill('shares');
    await page.getByRole('dialog').getByRole('button', { name: 'Add workspace', exact: true }).click();
    await page.getByRole('link', { name: 'shares' }).click();
    await page.getByText('overridden by the variable set defaults').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Remove shares' }).click();
    await page.getByText('Not available to any workspace yet').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Delete set defaults…' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('defaults');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No variable sets yet' }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('a user without permission to change them sees no buttons', async () => {
    const id = await makeWorkspace(on(), 'given');
    const make = makeOf(on());
    const set = await make('/organizations/acme/varsets', 'varsets', { name: 'read only', global: true });
    const team = await make('/organizations/acme/teams', 'teams', {
      name: 'lookers',
      'organization-access': { 'read-workspaces': true },
    });
    const token = await colleague(on(), 'ines', id, 'read');
    const { body } = await on().server.user('GET', '/api/v2/organizations/acme/organization-memberships?q=ines');
    const added = await on().server.user('POST', `/api/v2/teams/${team}/relationships/organization-memberships`, {
      data: [{ type: 'organization-memberships', id: body.data[0].id }],
    });
    expect(added.status).toBe(204);
    const page = await on().openAs(token, '/acme/variable-sets');
    await page.getByRole('link', { name: 'read only' }).click();
    await page.getByText('Every workspace of the organization.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/acme/variable-sets/${set}`);
    expect(await page.getByRole('button', { name: /New variable|Give|Withdraw|Save|Delete/ }).count()).toBe(0);
  });
});
