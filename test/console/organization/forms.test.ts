import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { bench, describeConsole } from '../support/console.ts';
import { hostile, makeOf, newUser } from '../support/organization.ts';

describeConsole('forms of an organization', () => {
  const on = bench();
  const openAt = (place: string) => on().openAs(on().server.userToken, place);
  /** The browser logs the refused requests. */
  const forgive = (...statuses: string[]) => {
    const lines = on().complaints.splice(0);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !statuses.some((status) => line.includes(status)))).toEqual([]);
  };
  async function attributesOf(path: string): Promise<Record<string, unknown>> {
    return (await on().server.user('GET', `/api/v2${path}`)).body.data.attributes;
  }
  async function part(page: Page, name: string): Promise<void> {
    await page
      .getByRole('navigation', { name: /^Parts of/ })
      .getByRole('link', { name })
      .click();
  }

  it('a project is created after an error, changed, shared with a team, and deleted by its name', async () => {
    const make = makeOf(on());
    const team = await make('/organizations/acme/teams', 'teams', { name: 'network' });
    await make('/organizations/acme/projects', 'projects', { name: 'taken' });
    const page = await openAt('/acme/projects');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New project' }).click();
    await dialog.getByLabel('Name').fill('taken');
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await dialog.getByText(/taken/).first().waitFor();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Name').fill('network');
    await dialog.getByLabel('Description').fill(hostile);
    await dialog.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'network', level: 1 }).waitFor();
    await page.getByText(hostile).waitFor();
    const id = page.url().split('/').at(-1) ?? '';

    await part(page, 'Settings');
    await page.getByLabel('Name').fill('x');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('3 to 40 letters').first().waitFor();
    await page.getByLabel('Name').fill('networks');
    await page.getByLabel('Description').fill('what routes');
    await page.getByLabel('Execution').selectOption('local');
    await page.getByLabel('Tags').fill('env=prod\ncore');
    await page.getByLabel('Destroy after inactivity of').fill('14d');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'networks', level: 1 }).waitFor();
    expect(await attributesOf(`/projects/${id}`)).toMatchObject({
      ...{ name: 'networks', description: 'what routes', 'default-execution-mode': 'local' },
      'auto-destroy-activity-duration': '14d',
    });
    const { body: tags } = await on().server.user('GET', `/api/v2/projects/${id}/tag-bindings`);
    expect(tags.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { key: 'core', value: '' },
      { key: 'env', value: 'prod' },
    ]);

    await part(page, 'Access');
    await page.getByRole('button', { name: 'Add team…' }).click();
    await dialog.getByLabel('Team').selectOption({ label: 'network' });
    await dialog.getByLabel('Access').selectOption('write');
    await dialog.getByRole('button', { name: 'Grant access' }).click();
    const row = page.getByRole('row', { name: /^network/ });
    await row.getByText('write', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Change access of network…' }).click();
    await dialog.getByLabel('Access').selectOption('custom');
    await dialog.getByLabel(/^Runs/i).selectOption('apply');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row.getByText('custom').waitFor();
    await row.getByText(/^runs apply/).waitFor();
    // At 390 px the page does not scroll sideways.
    await page.setViewportSize({ width: 390, height: 844 });
    const wide = `[...document.querySelectorAll('#main *')].some((one) => one.scrollWidth > one.clientWidth + 1
      && getComputedStyle(one).overflowX === 'auto')`;
    expect(await page.evaluate(wide)).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await row.getByRole('button', { name: 'Remove access of network…' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No team has access to the whole project yet.').waitFor();
    expect(team).toMatch(/^team-/);

    await part(page, 'Settings');
    await page.getByRole('button', { name: 'Delete project networks…' }).click();
    await dialog.getByLabel('Name').fill('network');
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await dialog.getByLabel('Name').fill('networks');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'networks', exact: true }).waitFor({ state: 'detached' });
    forgive('422');
  });

  it('a team is created after an error, renamed, given members and permissions, and deleted by its name', async () => {
    const { server } = on();
    const make = makeOf(on());
    const guest = await newUser(on(), 'guest');
    const membership = await make('/organizations/acme/organization-memberships', 'organization-memberships', {
      email: 'guest@example.com',
    });
    await server.call('POST', `/api/v2/organization-memberships/${membership}/actions/accept`, { token: guest });
    await make('/organizations/acme/teams', 'teams', { name: 'held' });
    const page = await openAt('/acme/teams');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog.getByLabel('Name').fill('held');
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Name').fill('deploy');
    await dialog.getByLabel('Visible to').selectOption('secret');
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
    await page.getByText('Only its members see this team.').waitFor();
    const id = page.url().split('/').at(-1) ?? '';

    await page.getByRole('button', { name: 'Add member…' }).click();
    await dialog.getByLabel('Member').selectOption({ label: 'guest@example.com' });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const row = page.getByRole('row', { name: /^guest/ });
    await row.getByText('active').waitFor();
    await page.getByLabel('manage agent pools').check();
    await page.getByRole('button', { name: 'Save access' }).click();
    await page.getByText('Saved').first().waitFor();
    expect((await attributesOf(`/teams/${id}`))['organization-access']).toMatchObject({ 'manage-agent-pools': true });

    await page.getByLabel('Name').fill('held');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Name').fill('deployers');
    await page.getByLabel('Visible to').selectOption('organization');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('heading', { name: 'deployers', level: 1 }).waitFor();
    await page.getByText('Every member of the organization sees this team.').waitFor();
    // The member has the permissions of the team.
    const theirs = await on().openAs(guest, '/acme/agents');
    await theirs.getByRole('button', { name: /New (agent )?pool/ }).waitFor();

    await row.getByRole('button', { name: 'Remove member guest@example.com…' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No members yet').waitFor();
    await page.getByRole('button', { name: 'Delete team deployers…' }).click();
    await dialog.getByLabel('Name').fill('deployers');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'deployers', exact: true }).waitFor({ state: 'detached' });
    forgive('422');
  });

  it('a user is invited after an error, the invitation is withdrawn, and a member is removed by email address', async () => {
    const { server } = on();
    const token = await newUser(on(), 'once');
    const page = await openAt('/acme/members');
    const dialog = page.getByRole('dialog');
    const invite = async (email: string) => {
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByRole('button', { name: 'Invite' }).click();
    };
    await page.getByRole('button', { name: 'Invite member', exact: true }).click();
    await invite('nobody');
    await dialog.getByRole('alert').waitFor();
    await invite('once@example.com');
    const row = page.getByRole('row', { name: /once@example.com/ });
    await row.getByText('invited').waitFor();
    await page.getByRole('button', { name: 'Invite member', exact: true }).click();
    await invite('once@example.com');
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Withdraw invitation of once@example.com…' }).click();
    await dialog.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await row.waitFor({ state: 'detached' });

    const path = '/organizations/acme/organization-memberships';
    const id = await makeOf(on())(path, 'organization-memberships', { email: 'once@example.com' });
    await server.call('POST', `/api/v2/organization-memberships/${id}/actions/accept`, { token });
    await page.getByRole('button', { name: 'active', exact: true }).click();
    await row.getByText('active').waitFor();
    await row.getByRole('button', { name: 'Remove member once@example.com…' }).click();
    await dialog.getByLabel('Name').fill('once@example.com');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    // The last owner cannot be removed.
    const owner = page.getByRole('row', { name: /^first/ });
    const email = (await owner.getByRole('button', { name: /^Remove member/ }).getAttribute('aria-label')) ?? '';
    await owner.getByRole('button', { name: /^Remove member/ }).click();
    await dialog.getByLabel('Name').fill(email.replace(/^Remove member |…$/g, ''));
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByText(/owner/).waitFor();
    forgive('422', '403');
  });
});
