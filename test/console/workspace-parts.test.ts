import { afterAll, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { privateKey } from '../support/samples/private-key.ts';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { hostile, makeOf } from './support/organization.ts';

const receiver = await startReceiver();
afterAll(() => receiver.stop());

describeConsole('the workspace settings pages', () => {
  const on = bench(undefined, {
    notifications: { allowedAddresses: ['127.0.0.1'], authoritiesFile: receiver.caFile },
  });
  const at = (name: string, part: string) => `/acme/workspaces/${name}/settings/${part}`;

  it('notifications: one is created after a failed attempt, verified, disabled and deleted', async () => {
    await makeWorkspace(on(), 'notifies');
    const page = await on().openAs(on().server.userToken, at('notifies', 'notifications'));
    await page.getByText('No notifications yet').waitFor();
    await page.getByRole('button', { name: 'New notification…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(hostile);
    await dialog.getByLabel('URL').fill(`${receiver.address}/builds`);
    await dialog.getByLabel('Token').fill('signs it');
    await dialog.getByLabel('run:created').check();
    receiver.answer = (_received, response) => void response.writeHead(500).end('not today');
    await dialog.getByRole('button', { name: 'Create notification' }).click();
    await dialog.getByRole('alert').waitFor();
    receiver.answer = (_received, response) => void response.end('ok');
    await dialog.getByRole('button', { name: 'Create notification' }).click();
    const row = page.getByRole('row', { name: hostile });
    await row.getByText('200').waitFor();
    expect(receiver.at('/builds').at(-1)?.body.notifications[0].trigger).toBe('verification');
    const before = receiver.at('/builds').length;
    await row.getByRole('button', { name: /^Verify/ }).click();
    await row.getByText('responded').waitFor();
    expect(receiver.at('/builds').length).toBe(before + 1);
    await row.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByLabel('Enabled').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('disabled', { exact: true }).waitFor();
    await row.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No notifications yet').waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('400')),
    ).toBe(true);
  });

  it('notifications: one of the organization goes by email, has a digest, and is inherited by workspaces', async () => {
    await makeWorkspace(on(), 'inherits');
    const page = await on().openAs(on().server.userToken, '/acme/settings/notifications');
    await page.getByRole('button', { name: 'New notification…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('On call');
    await dialog.getByLabel('Destination').selectOption('email');
    await dialog.getByLabel('Email addresses').fill('ops@example.com');
    await dialog.getByRole('checkbox', { name: 'Daily digest' }).check();
    await dialog.getByLabel('Hour', { exact: true }).fill('7');
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Create notification' }).click();
    const row = page.getByRole('row', { name: 'On call' });
    await row.getByText('Email, 1 recipient').waitFor();
    await row.getByText('No email is sent, because this server has no SMTP server').waitFor();
    await row.getByRole('button', { name: /^Change/ }).click();
    await dialog.getByLabel('Time zone').waitFor();
    expect(await dialog.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
    await dialog.getByRole('checkbox', { name: 'Daily digest' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('Email, 1 recipient').waitFor();
    await page.goto(`/app${at('inherits', 'notifications')}`);
    const inherited = page
      .getByRole('table', { name: 'Inherited notifications' })
      .getByRole('row', { name: 'On call' });
    await inherited.getByText('organization').waitFor();
    expect(await page.getByText('ops@example.com').count()).toBe(0);
  });

  it('run triggers: a source is added with auto-apply, shown on both workspaces, and removed', async () => {
    const id = await makeWorkspace(on(), 'after');
    await makeWorkspace(on(), 'before');
    const page = await on().openAs(on().server.userToken, at('after', 'run-triggers'));
    await page.getByRole('button', { name: 'Add workspace…' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByRole('combobox', { name: 'Workspace' });
    await chosen.fill('after');
    await dialog.getByRole('button', { name: 'Add workspace' }).click();
    await dialog.getByRole('alert').getByText('cannot be the workspace itself').waitFor();
    await chosen.fill('before');
    await dialog.getByRole('button', { name: 'Add workspace' }).click();
    await page.getByRole('row', { name: 'before' }).waitFor();
    await page.getByLabel('Auto-apply triggered runs').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await on().server.user('GET', `/api/v2/workspaces/${id}`);
    expect(body.data.attributes['auto-apply-run-trigger']).toBe(true);
    await page.goto(`/app${at('before', 'run-triggers')}`);
    await page.getByRole('link', { name: 'after' }).click();
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page.getByRole('link', { name: 'Run triggers' }).click();
    await page.getByRole('button', { name: 'Remove before' }).click();
    await page.getByText('No run triggers.').nth(1).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('state sharing: a workspace gets and loses access, then the project gets access', async () => {
    const id = await makeWorkspace(on(), 'shares-state');
    await makeWorkspace(on(), 'reads-it');
    const page = await on().openAs(on().server.userToken, at('shares-state', 'state-sharing'));
    await page.getByText('No workspaces that you can see').waitFor();
    await page.getByRole('button', { name: 'Add workspace…' }).click();
    await page.getByRole('combobox', { name: 'Workspace' }).fill('reads-it');
    await page.getByRole('dialog').getByRole('button', { name: 'Add workspace' }).click();
    await page.getByRole('row', { name: 'reads-it' }).waitFor();
    await page.getByRole('button', { name: 'Remove reads-it' }).click();
    await page.getByText('No workspaces that you can see').waitFor();
    await page.getByLabel('Readable by').selectOption('project');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Runs of all workspaces of the project can read the state of this workspace.').waitFor();
    const { body } = await on().server.user('GET', `/api/v2/workspaces/${id}`);
    expect(body.data.attributes).toMatchObject({ 'global-remote-state': false, 'project-remote-state': true });
  });

  it('tags: one is added and removed; a key is set twice, and another key is removed', async () => {
    await makeWorkspace(on(), 'tagged');
    const page = await on().openAs(on().server.userToken, at('tagged', 'tags'));
    await page.getByText('No tags yet').waitFor();
    await page.getByRole('button', { name: 'Add tag…' }).click();
    await page.getByRole('dialog').getByLabel('Tag').fill('team:network');
    await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('row', { name: 'team:network' }).waitFor();
    for (const [key, value] of [
      ['cost-center', '17'],
      ['stage', 'test'],
      ['stage', 'production'],
    ] as const) {
      await page.getByRole('button', { name: 'Set key…' }).click();
      await page.getByRole('dialog').getByLabel('Key').fill(key);
      await page.getByRole('dialog').getByLabel('Value').fill(value);
      await page.getByRole('dialog').getByRole('button', { name: 'Set key' }).click();
      await page.getByRole('row', { name: key }).getByText(value).waitFor();
    }
    await page.getByRole('button', { name: 'Remove key cost-center' }).click();
    await page.getByRole('row', { name: 'cost-center' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'stage' }).getByText('production').waitFor();
    await page.getByRole('button', { name: 'Remove tag team:network' }).click();
    await page.getByText('No tags yet').waitFor();
  });

  it('retention: a policy of the workspace, and its auto-destroy time', async () => {
    const id = await makeWorkspace(on(), 'kept');
    const page = await on().openAs(on().server.userToken, at('kept', 'retention'));
    await page.getByText('Without one, nothing is deleted.').waitFor();
    await page.getByLabel('Policy').selectOption('Delete old versions');
    await page.getByLabel('Days').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Versions older than 30 days are deleted, except the current version.').waitFor();
    await page.getByLabel('Policy').selectOption('organization default');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Without one, nothing is deleted.').waitFor();
    await page.getByLabel('Auto-destroy').selectOption('at a fixed time');
    await page.getByLabel('Time (UTC)').fill('2031-01-02T03:04');
    await page.getByRole('button', { name: 'Save time' }).click();
    await page.getByText('All resources are destroyed at 2031-01-02T03:04:00.000Z').waitFor();
    await page.getByText('Scheduled').waitFor();
    await page.getByLabel('Auto-destroy').selectOption('after a period without activity');
    await page.getByLabel('Period without activity').fill('soon');
    await page.getByRole('button', { name: 'Save time' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Period without activity').fill('6h');
    await page.getByRole('button', { name: 'Save time' }).click();
    await expect
      .poll(
        async () =>
          (await on().server.user('GET', `/api/v2/workspaces/${id}`)).body.data.attributes[
            'auto-destroy-activity-duration'
          ],
      )
      .toBe('6h');
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('retention of the organization: set and removed', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/settings/retention');
    await page.getByLabel('Policy').selectOption('Delete nothing');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing is deleted.').waitFor();
    await page.getByLabel('Policy').selectOption('no policy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing is deleted, unless a workspace has its own policy.').waitFor();
    await page.getByLabel('Policy').selectOption('Delete old versions');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Versions older than 90 days are deleted').waitFor();
    await page.getByLabel('Policy').selectOption('no policy');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing is deleted, unless a workspace has its own policy.').waitFor();
  });

  it('run tasks: one is attached, changed and detached; global ones are listed', async () => {
    const task = (name: string, more: object = {}) =>
      makeOf(on())('/organizations/acme/tasks', 'tasks', {
        ...{ name, category: 'task', url: `${receiver.address}/${name}` },
        ...more,
      });
    await task('scanner', { enabled: true });
    await task('everywhere', {
      enabled: true,
      'global-configuration': { enabled: true, stages: ['pre_plan'], 'enforcement-level': 'mandatory' },
    });
    await makeWorkspace(on(), 'evaluated');
    const page = await on().openAs(on().server.userToken, at('evaluated', 'run-tasks'));
    await page.getByRole('row', { name: 'everywhere' }).getByText('mandatory').waitFor();
    await page.getByRole('button', { name: 'Attach task…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Run task').selectOption('scanner');
    await dialog.getByLabel('before the apply').check();
    await dialog.getByRole('button', { name: 'Attach task' }).click();
    const row = page.getByRole('row', { name: 'scanner' });
    await row.getByText('post plan, pre apply').waitFor();
    await row.getByRole('button', { name: 'Change scanner…' }).click();
    await dialog.getByLabel('Enforcement level').selectOption('mandatory');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('mandatory').waitFor();
    await row.getByRole('button', { name: 'Detach task scanner…' }).click();
    await dialog.getByRole('button', { name: 'Detach', exact: true }).click();
    await page.getByText('No run tasks yet').waitFor();
  });

  it('run tasks of the organization: one is created after a failed attempt, made global, and deleted by its name', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/settings/run-tasks');
    await page.getByRole('button', { name: 'New run task…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('costs');
    await dialog.getByLabel('URL').fill(`${receiver.address}/costs`);
    await dialog.getByLabel('HMAC key').fill('signs it');
    receiver.answer = (_received, response) => void response.writeHead(500).end('not today');
    await dialog.getByRole('button', { name: 'Create run task' }).click();
    await dialog.getByRole('alert').waitFor();
    receiver.answer = (_received, response) => void response.end('ok');
    await dialog.getByRole('button', { name: 'Create run task' }).click();
    const row = page.getByRole('row', { name: 'costs' });
    await row.getByText('attached workspaces').waitFor();
    expect(receiver.at('/costs').at(-1)?.body.stage).toBe('test');
    await row.getByRole('button', { name: 'Change costs…' }).click();
    await dialog.getByLabel('Evaluate runs of every workspace').check();
    await dialog.getByLabel('before the plan').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('all workspaces: pre plan, post plan, advisory').waitFor();
    await row.getByRole('button', { name: 'Delete run task costs…' }).click();
    await dialog.getByRole('textbox').fill('costs');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(
      on()
        .complaints.splice(0)
        .every((line) => /4(00|22)/.test(line)),
    ).toBe(true);
  });

  it('the SSH key is selected by its name', async () => {
    const key = await makeOf(on())('/organizations/acme/ssh-keys', 'ssh-keys', {
      name: 'modules',
      value: privateKey,
    });
    const id = await makeWorkspace(on(), 'fetches');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/fetches/settings');
    await page.getByLabel('SSH key').selectOption('modules');
    await page.getByRole('button', { name: 'Save key' }).click();
    const of = async () =>
      (await on().server.user('GET', `/api/v2/workspaces/${id}`)).body.data.relationships['ssh-key'].data?.id;
    await expect.poll(of).toBe(key);
    const form = page.locator('form').filter({ hasText: 'Save key' });
    await form.getByText('No changes').waitFor();
    await page.getByLabel('SSH key').selectOption('none');
    await page.getByRole('button', { name: 'Save key' }).click();
    await expect.poll(of).toBe(undefined);
  });

  it('a user with read access sees the settings and no buttons', async () => {
    const id = await makeWorkspace(on(), 'only-read');
    const token = await colleague(on(), 'ria', id, 'read');
    const page = await on().openAs(token, '/acme/workspaces/only-read/settings');
    await page.getByText('Requires can-update').first().waitFor();
    expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0);
    await page.goto(`/app${at('only-read', 'notifications')}`);
    await page.getByText('This page requires can-update.').waitFor();
    for (const part of ['Run triggers', 'Run tasks', 'State sharing', 'Tags', 'Retention']) {
      await page.getByRole('link', { name: part }).click();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      expect(
        await page
          .locator('#main')
          .getByRole('button', { name: /Add|Attach|Set|Save|Remove/ })
          .count(),
      ).toBe(0);
    }
  });
});
