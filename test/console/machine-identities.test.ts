import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { colleague } from './support/colleague.ts';
import { bench, describeConsole, makeWorkspace, settled, signIn } from './support/console.ts';
import { makeOf } from './support/organization.ts';

const PAGE = '/~access/machine-identities';

describeConsole('machine identities', () => {
  const on = bench();

  async function test(page: Page, pem: string): Promise<void> {
    await page.getByLabel('Certificates', { exact: true }).fill(pem);
    await page.getByRole('button', { name: 'Test certificate' }).click();
  }
  /** Gives a team permission to write states of a workspace. */
  async function grant(team: string, workspace: string): Promise<void> {
    await makeOf(on())(
      '/team-workspaces',
      'team-workspaces',
      { access: 'write' },
      { team: ['teams', team], workspace: ['workspaces', workspace] },
    );
  }

  it('the page leads from a CA to a runner that holds a lock', async () => {
    const { server, clients } = on();
    const workspace = await makeWorkspace(on(), 'network');
    const team = await makeOf(on())('/organizations/acme/teams', 'teams', { name: 'deploy' });
    const runner = clients.issue({ subject: 'runner-9.build.example', dns: ['runner-9.build.example'] });
    const page = await on().openBoth('/~access/roles');

    await page.getByRole('link', { name: 'New role' }).click();
    await page.getByLabel('Name', { exact: true }).fill('builders');
    await page.getByLabel('certificate', { exact: true }).fill(clients.pem);
    await page.getByLabel('allowed_common_names').fill('*.build.example');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('act for no team or agent pool that you can see').waitFor();
    await page.getByRole('link', { name: 'From certificate to workspace' }).click();
    await page.getByRole('heading', { name: 'No identities for role builders' }).waitFor();

    // The role accepts the certificate, but no identity uses it: the page says what to do.
    await page.getByRole('button', { name: 'Test a certificate…' }).click();
    await test(page, runner.pem);
    await page.getByText('Accepted by builders, but acts for no team or agent pool that you can see').waitFor();
    await page.getByText('no machine identity that you can see uses this role').waitFor();
    await page.getByRole('button', { name: 'Add identity…' }).first().click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Role').inputValue()).toBe('builders');
    await dialog.getByLabel('Common name').fill('runner-*');
    await dialog.getByLabel('Team', { exact: true }).selectOption({ label: 'deploy' });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const details = page.getByRole('region', { name: 'builders to team deploy' });
    await details.getByText('Logins with common name runner-* act for team deploy.').waitFor();
    await details
      .getByText('Accepts certificates issued by CN=Clients, with a common name like *.build.example')
      .waitFor();
    await details.getByText('The team has no access to workspaces yet.').waitFor();

    await grant(team, workspace);
    await page.reload();
    await details.getByRole('link', { name: 'network' }).waitFor();
    await details.getByText('writes, locks').waitFor();
    await details.getByText('never', { exact: true }).waitFor();

    await details.getByRole('button', { name: 'Test a certificate…' }).click();
    await test(page, clients.issue({ subject: 'builder-1' }).pem);
    await page.getByText('It is not accepted: builders refuses it').waitFor();
    await page.getByText('allowed_common_names', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Test another…' }).click();
    await test(page, runner.pem);
    await page.getByText('Accepted by builders; acts for team deploy').waitFor();
    const way = page.getByRole('list', { name: 'Paths of the certificate' }).getByRole('listitem');
    await expect.poll(async () => (await way.innerText()).match(/: reached/g)?.length).toBe(4);

    const login = await server.call('POST', '/v1/auth/cert/login', {
      certificate: runner,
      body: { name: 'builders' },
    });
    expect(login.status).toBe(200);
    const lock = await server.call('POST', `/api/v2/workspaces/${workspace}/actions/lock`, {
      token: login.body.auth.client_token,
      body: { reason: 'at work' },
    });
    expect(lock.status).toBe(200);
    await page.getByRole('button', { name: 'Close' }).click();
    // The identity shows the time of the login.
    await page.reload();
    await details.getByText('Last login').waitFor();
    await details.getByText('never', { exact: true }).waitFor({ state: 'detached' });
    await details.getByRole('link', { name: 'network' }).click();
    await page.getByText('at work').first().waitFor();
    await page.getByText('Locked by runner-9.build.example').first().waitFor();

    await page.goto(`/app/acme/teams/${team}`);
    await page.getByRole('link', { name: 'builders' }).click();
    await details.getByRole('button', { name: 'Remove identity builders…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No identities for role builders' }).waitFor();
    const after = await server.call('GET', `/api/v2/workspaces/${workspace}`, {
      token: login.body.auth.client_token,
    });
    expect(after.status).toBe(401);
  });

  it('the page shows which of several identities matches, and a missing role', async () => {
    const { clients } = on();
    const make = makeOf(on());
    const team = await make('/organizations/acme/teams', 'teams', { name: 'night' });
    const pool = await make('/organizations/acme/agent-pools', 'agent-pools', { name: 'rack' });
    const identity = (of: string, attributes: object) =>
      make(`${of}/machine-identities`, 'machine-identities', { mount: 'cert', ...attributes });
    await identity(`/teams/${team}`, { role: 'people', 'common-name': 'night-*' });
    await identity(`/agent-pools/${pool}`, { role: 'people', 'common-name': 'agent-*' });
    const gone = await identity(`/teams/${team}`, { role: 'gone' });
    const page = await on().openBoth(`${PAGE}?identity=${gone}`);
    await page.getByText('This role does not exist, so no client can log in with it.').waitFor();
    await page.keyboard.press('t');
    await test(page, clients.issue({ subject: 'agent-7' }).pem);
    await page.getByText('Accepted by people; acts for agent pool rack').waitFor();
    await page.getByRole('button', { name: 'Test another…' }).click();
    await test(page, clients.issue({ subject: 'laptop' }).pem);
    await page.getByText('matches none of the 2 machine identities of the role').waitFor();
    await page.getByText('team night accepts common name night-*').waitFor();
  });

  it('a user with a token of one API sees an explanation, and no buttons without permission', async () => {
    const { server } = on();
    const workspace = await makeWorkspace(on(), 'other');
    const asRoot = await on().open();
    await asRoot.goto(`/app${PAGE}`);
    await signIn(asRoot, server.rootToken);
    await asRoot.getByRole('heading', { name: 'Sign in to workspaces to see machine identities' }).waitFor();
    await asRoot.locator('#main').getByRole('link', { name: 'Sign in to workspaces' }).click();
    await asRoot.getByLabel('Token', { exact: true }).waitFor();

    const owner = await on().openAs(server.userToken, PAGE);
    await owner.getByRole('button', { name: 'Add identity…' }).first().waitFor();
    await owner.getByRole('button', { name: 'Test a certificate…' }).click();
    await owner.getByText('Sign in to access to test one').waitFor();

    const reader = await on().openAs(await colleague(on(), 'reader', workspace, 'read'), PAGE);
    await reader.getByText('You see identities of teams that you own').waitFor();
    await settled(reader);
    expect(await reader.getByRole('button', { name: 'Add identity…' }).count()).toBe(0);
  });
});
