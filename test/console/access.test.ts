import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';
import { makeOf, newUser } from './support/organization.ts';

const ACCESS = (name: string) => `/acme/workspaces/${name}/access`;

describeConsole('access to a workspace', () => {
  const on = bench();

  it('is given to a team, changed to custom permissions, shown in a table and removed', async () => {
    const id = await makeWorkspace(on(), 'shared');
    await makeOf(on())('/organizations/acme/teams', 'teams', { name: 'ops', visibility: 'organization' });
    const page = await on().openAs(on().server.userToken, ACCESS('shared'));
    await page.getByText('No team has access to only this workspace').waitFor();
    await page.getByRole('button', { name: 'Grant access…' }).click();
    await page.getByLabel('Team', { exact: true }).selectOption({ label: 'ops' });
    await page.getByLabel('Access', { exact: true }).selectOption('write');
    await page.getByRole('dialog').getByRole('button', { name: 'Grant access', exact: true }).click();
    const row = page.getByRole('table', { name: 'Access to the workspace' }).getByRole('row', { name: /^ops/ });
    await row.getByText('apply', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Change access of ops…' }).click();
    await page.getByLabel('Access', { exact: true }).selectOption('custom');
    await page.getByLabel('Runs').selectOption('plan');
    await page.getByLabel('Variables').selectOption('none');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('custom').waitFor();
    const { body } = await on().server.user('GET', `/api/v2/team-workspaces?filter[workspace][id]=${id}`);
    expect(body.data[0].attributes).toMatchObject({ access: 'custom', runs: 'plan', variables: 'none' });
    await row.getByRole('link', { name: 'Why does ops have this access?' }).click();
    await page.getByText(/^ops: \d+ of 21 permissions/).waitFor();
    await page.getByRole('button', { name: 'Remove access of ops…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No team has access to only this workspace').waitFor();
  });

  it('is given to a team for a project, and changed to other permissions', async () => {
    const make = makeOf(on());
    const project = await make('/organizations/acme/projects', 'projects', { name: 'network' });
    await make('/organizations/acme/teams', 'teams', { name: 'plumbers', visibility: 'organization' });
    const page = await on().openAs(on().server.userToken, `/acme/projects/${project}/access`);
    await page.getByRole('button', { name: 'Add team…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Team', { exact: true }).selectOption({ label: 'plumbers' });
    await dialog.getByLabel('Access', { exact: true }).selectOption('custom');
    await dialog.getByLabel('Runs').selectOption('plan');
    await dialog.getByLabel('Create workspaces').check();
    await dialog.getByRole('button', { name: 'Grant access', exact: true }).click();
    const row = page.getByRole('row', { name: /^plumbers/ });
    await row.getByText('runs plan').waitFor();
    await row.getByRole('button', { name: 'Change access of plumbers…' }).click();
    expect(await dialog.getByLabel('Create workspaces').isChecked()).toBe(true);
    await dialog.getByLabel('Settings').selectOption('update');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('settings update').waitFor();
    const { body } = await on().server.user('GET', `/api/v2/team-projects?filter[project][id]=${project}`);
    expect(body.data[0].attributes).toMatchObject({
      access: 'custom',
      'project-access': { settings: 'update', teams: 'none' },
      'workspace-access': { runs: 'plan', variables: 'none', create: true, delete: false },
    });
    await row.getByRole('button', { name: 'Change access of plumbers…' }).click();
    await dialog.getByLabel('Access', { exact: true }).selectOption('read');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('settings read').waitFor();
  });

  it('is explained for a user without access, a team of the project, and an unknown user', async () => {
    const make = makeOf(on());
    await makeWorkspace(on(), 'asked-about');
    const { body } = await on().server.user('GET', '/api/v2/organizations/acme/workspaces/asked-about');
    const project = body.data.relationships.project.data.id;
    const team = await make('/organizations/acme/teams', 'teams', { name: 'plan/readers', visibility: 'organization' });
    await make(
      '/team-projects',
      'team-projects',
      { access: 'read' },
      { team: ['teams', team], project: ['projects', project] },
    );
    await newUser(on(), 'outsider');
    const bare = await makeWorkspace(on(), 'another');
    await colleague(on(), 'bob', bare, 'read');
    const page = await on().openAs(on().server.userToken, ACCESS('asked-about'));
    await page.getByText('Your access: 21 of 21 permissions').waitFor();
    await page.getByRole('table', { name: 'Access through the project' }).getByText('plan/readers').waitFor();
    await page
      .getByRole('table', { name: 'Access through the organization' })
      .getByText('owns the organization')
      .waitFor();
    await page.getByLabel('Username').fill('bob');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('bob: 0 of 21 permissions').waitFor();
    await page
      .getByRole('row', { name: 'can-queue-apply' })
      .getByText('not granted; write or admin would grant it')
      .waitFor();
    expect(new URL(page.url()).search).toBe('?user=bob');
    await page.goto(`/app${ACCESS('asked-about')}?team=${team}`);
    await page.getByRole('row', { name: 'can-read-run' }).getByText('read on the project').waitFor();
    await page.goto(`/app${ACCESS('asked-about')}?user=outsider`);
    await page.getByText('The organization has no such user').waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
  });

  it('a user with read access sees it without a form, and an explanation of only their own access', async () => {
    const id = await makeWorkspace(on(), 'looked-over');
    const page = await on().openAs(await colleague(on(), 'rosa', id, 'read'), ACCESS('looked-over'));
    await page.getByText(/^Your access: \d+ of 21 permissions/).waitFor();
    await page.getByRole('row', { name: 'can-read-run' }).getByText('read on the workspace').waitFor();
    expect(await page.getByRole('button', { name: /access|Explain/ }).count()).toBe(0);
    expect(await page.getByLabel('Username').count()).toBe(0);
  });
});
