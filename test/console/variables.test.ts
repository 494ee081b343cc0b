import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';

const SCRIPT = '<script>alert(1)</script>';

describeConsole('variables of a workspace', () => {
  const on = bench();

  it('are created, overridden by a set with priority, changed and deleted', async () => {
    await makeWorkspace(on(), 'tuned');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/tuned/variables');
    await page.getByRole('heading', { name: 'No variables yet' }).waitFor();
    await page.getByRole('button', { name: 'New variable…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('region');
    await page.getByLabel('Value').fill(SCRIPT);
    await page.getByRole('button', { name: 'Create variable' }).click();
    const row = page.getByRole('row', { name: 'region' });
    await row.getByText(SCRIPT).waitFor();
    const data = [{ type: 'vars', attributes: { key: 'region', value: 'theirs', category: 'terraform' } }];
    const made = await on().server.user('POST', '/api/v2/organizations/acme/varsets', {
      data: {
        type: 'varsets',
        attributes: { name: 'everywhere', global: true, priority: true },
        relationships: { vars: { data } },
      },
    });
    expect(made.status).toBe(201);
    await page.reload();
    await page.getByText('overridden by the variable set everywhere').waitFor();
    await page.getByText('theirs').waitFor();
    await page.getByRole('button', { name: 'Change region…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('zone');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Delete variable zone…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('rowheader', { name: 'zone' }).waitFor({ state: 'detached' });
    await on().server.user('DELETE', `/api/v2/varsets/${made.body.data.id}`);
  });

  it('sensitive values are stored and never shown', async () => {
    const id = await makeWorkspace(on(), 'secretive');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/secretive/variables');
    await page.getByRole('button', { name: 'New variable…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('TOKEN');
    await page.getByLabel('Value').fill('open sesame');
    await page.getByLabel('Category').selectOption('env');
    await page.getByLabel('Sensitive').check();
    await page.getByRole('button', { name: 'Create variable' }).click();
    await page.getByText('sensitive (write-only)').waitFor();
    expect(await page.content()).not.toContain('open sesame');
    await page.getByRole('button', { name: 'Change TOKEN…' }).click();
    expect(await page.getByLabel('Value').inputValue()).toBe('');
    await page.getByLabel('Description').fill('of the registry');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await on().server.user('GET', `/api/v2/workspaces/${id}/vars`);
    expect(body.data[0].attributes).toMatchObject({ description: 'of the registry', sensitive: true, value: null });
  });

  it('a sensitive variable is kept from speculative plans, and is not released without its value', async () => {
    const id = await makeWorkspace(on(), 'guarded-variables');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/guarded-variables/variables');
    await page.getByRole('button', { name: 'New variable…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('KEY');
    await page.getByLabel('Value').fill('open sesame');
    await page.getByLabel('Sensitive').check();
    await page.getByLabel('Not for speculative plans').check();
    await page.getByRole('button', { name: 'Create variable' }).click();
    await page.getByText('terraform, not for speculative plans').waitFor();
    const { body } = await on().server.user('GET', `/api/v2/workspaces/${id}/vars`);
    expect(body.data[0].attributes).toMatchObject({ 'apply-only': true, sensitive: true });
    await page.getByRole('button', { name: 'Change KEY…' }).click();
    await page.getByLabel('Not for speculative plans').uncheck();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.getAttribute('title')).toContain('Enter the value again');
    await page.getByLabel('Value').fill('another');
    await save.click();
    await page.getByText('not for speculative plans').waitFor({ state: 'detached' });
  });

  it('a user without permission sees no buttons', async () => {
    const id = await makeWorkspace(on(), 'looked-at');
    const attributes = { key: 'region', value: 'eu', category: 'terraform' };
    await on().server.user('POST', `/api/v2/workspaces/${id}/vars`, { data: { type: 'vars', attributes } });
    const reader = await on().openAs(await colleague(on(), 'vera', id, 'read'), '/acme/workspaces/looked-at/variables');
    await reader.getByRole('row', { name: 'region' }).waitFor();
    expect(await reader.getByRole('button', { name: /Change|Delete|New variable/ }).count()).toBe(0);
    const none = { variables: 'none', runs: 'read', 'state-versions': 'none', 'sentinel-mocks': 'none' };
    const other = await on().openAs(
      await colleague(on(), 'omar', id, 'custom', none),
      '/acme/workspaces/looked-at/variables',
    );
    await other.getByText('can-read-variable').waitFor();
  });
});
