import { expect, it } from 'vitest';
import { colleague } from '../support/colleague.ts';
import { bench, describeConsole } from '../support/console.ts';
import { agentsOf, PLAN, PLANNED } from '../support/runs.ts';

describeConsole('approvals', () => {
  const on = bench();

  it('a rule is created in the settings, and its run is approved and applied', async () => {
    const agents = await agentsOf(on(), 'approvals');
    const workspace = await agents.workspace('guarded');
    const approver = await colleague(on(), 'bo', workspace, 'write');
    const settings = await on().openAs(on().server.userToken, '/acme/workspaces/guarded/settings/approvals');
    await settings.getByText('No approval rules').waitFor();
    await settings.getByRole('button', { name: 'Add rule…' }).click();
    const dialog = settings.getByRole('dialog', { name: 'New approval rule' });
    await dialog.getByLabel('Name').fill('production');
    await dialog.getByLabel('team-bo').check();
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await settings
      .getByRole('row', { name: /production/ })
      .getByText('1 approval by members of team-bo')
      .waitFor();

    const run = await agents.run(workspace);
    const plan = await agents.take();
    await plan.handIn(PLAN);
    await plan.finish('finished', PLANNED);
    const place = `/acme/workspaces/guarded/runs/${run}`;
    const requester = await on().openAs(on().server.userToken, place);
    const decision = requester.getByRole('region', { name: 'Decision' });
    await decision.getByText('0 of 1 approvals: a confirmation is stored until the last one.').waitFor();
    await decision.getByText('You cannot approve: The user').waitFor();
    expect(await decision.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await decision.getByRole('button', { name: 'Confirm and apply' }).click();
    await decision.getByText('Confirmed. 0 of 1 approvals: the last one starts the apply.').waitFor();
    expect(await decision.getByRole('button', { name: 'Confirm and apply' }).count()).toBe(0);

    const second = await on().openAs(approver, place);
    await second.getByRole('list', { name: 'Approval rules' }).getByText('Members of team-bo can approve.').waitFor();
    await second.getByLabel('Comment', { exact: true }).fill('reviewed');
    await second.getByRole('button', { name: 'Approve' }).click();
    const apply = await agents.take();
    expect(apply.runId).toBe(run);
    await second.getByRole('link', { name: 'History and details' }).click();
    const events = second.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await events.filter({ hasText: 'bo approved the run: 1 of 1 approvals' }).filter({ hasText: 'reviewed' }).waitFor();
    // Who approved stays on the page after the rules have had their effect.
    await apply.finish();
    await requester.reload();
    const approved = requester.getByRole('list', { name: 'Approved by' }).getByRole('listitem');
    await approved.filter({ hasText: 'bo' }).filter({ hasText: 'reviewed' }).waitFor();
    expect(await requester.getByRole('list', { name: 'Approval rules' }).count()).toBe(0);
  });

  it('a rule without a team has a warning, and a rule of the project is changed in the project', async () => {
    const agents = await agentsOf(on(), 'orphans');
    await agents.workspace('orphan');
    const team = await on().server.user('POST', '/api/v2/organizations/acme/teams', {
      data: { type: 'teams', attributes: { name: 'short-lived', visibility: 'organization' } },
    });
    const project = (await on().server.user('GET', '/api/v2/organizations/acme/projects')).body.data[0].id;
    const page = await on().openAs(on().server.userToken, `/acme/projects/${project}/settings`);
    await page.getByRole('button', { name: 'Add rule…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New approval rule' });
    await dialog.getByLabel('Name').fill('everywhere');
    await dialog.getByLabel('short-lived').check();
    await dialog.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('row', { name: /everywhere/ }).waitFor();
    await on().server.user('DELETE', `/api/v2/teams/${team.body.data.id}`);
    const settings = await on().openAs(on().server.userToken, '/acme/workspaces/orphan/settings/approvals');
    await settings.getByText('No user can approve, because its team was deleted: team short-lived.').waitFor();
    const row = settings.getByRole('row', { name: /everywhere/ });
    await row.getByText('Users who manage the project change this rule.').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: 'Delete approval rule everywhere…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No approval rules').waitFor();
  });
});
