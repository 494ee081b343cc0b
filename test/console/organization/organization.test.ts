import { expect, it } from 'vitest';
import { archive } from '../../support/samples/archive.ts';
import { bench, describeConsole, settled } from '../support/console.ts';
import { makeOf, namedToken, newUser } from '../support/organization.ts';

describeConsole('an organization', () => {
  const on = bench();

  it('limits the browser sessions of its members, and says which value is wrong', async () => {
    const page = await on().openAs(on().server.userToken, '/acme/settings');
    await page.getByLabel('Minutes without a request').fill('ten');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('session-timeout must be').first().waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);
    await page.getByLabel('Minutes without a request').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').first().waitFor();
    const limits = async () => {
      const { attributes } = (await on().server.user('GET', '/api/v2/organizations/acme')).body.data;
      return [attributes['session-timeout'], attributes['session-remember']];
    };
    expect(await limits()).toEqual([30, null]);
    await page.getByLabel('Minutes without a request').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(limits).toEqual([null, null]);
  });

  it('is created with a project, a team and an invitation; a team token is shown once, signs in and is revoked', async () => {
    const page = await on().openAs(on().server.userToken, '/~organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await page.getByLabel('Name').fill('other');
    await page.getByLabel('Email').fill('o@example.com');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name').fill('x');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByText('3 to 40 letters').first().waitFor();
    await page.getByLabel('Name').fill('network');
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('heading', { name: 'network', level: 1 }).waitFor();
    // The browser logs the refused requests.
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('422')),
    ).toBe(true);

    await page.getByRole('link', { name: 'Teams', exact: true }).click();
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByLabel('Name').fill('deploy');
    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
    await page.getByLabel('read all workspaces').first().check();
    await page.getByRole('button', { name: 'Save access' }).click();
    await page.getByText('Saved').first().waitFor();

    await page.getByRole('link', { name: 'Teams', exact: true }).first().click();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('button', { name: 'Invite member', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('guest@example.com');
    await dialog.getByLabel('Team').selectOption({ label: 'deploy' });
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const row = page.getByRole('row', { name: /guest@example.com/ });
    await row.getByText('invited').waitFor();
    await row.getByRole('link', { name: 'deploy' }).click();

    await page.getByRole('heading', { name: 'deploy', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('ci');
    await page.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('region', { name: 'New token of team deploy' });
    const text = (await shown.getByRole('status').innerText()).trim();
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(text);

    const robot = await on().openAs(text, '/other/projects');
    await robot.getByRole('link', { name: 'deploy', exact: true }).waitFor();
    await robot.goto('/app/~account');
    await robot.getByText('Signed in as deploy, a team.').waitFor();

    await page.getByRole('button', { name: 'Revoke token ci…' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('row', { name: /^ci/ }).waitFor({ state: 'detached' });
    await robot.goto('/app/other/projects');
    await robot.getByLabel('Token', { exact: true }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((line) => line.includes('401')),
    ).toBe(true);
  });

  it('shows agent pools with their agents and waiting runs', async () => {
    const make = makeOf(on());
    const pool = await make('/organizations/acme/agent-pools', 'agent-pools', { name: 'site' });
    const id = await make('/organizations/acme/workspaces', 'workspaces', {
      name: 'waits',
      'execution-mode': 'agent',
      'agent-pool-id': pool,
    });
    const { server } = on();
    const { body } = await server.user('POST', `/api/v2/workspaces/${id}/configuration-versions`, {
      data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } },
    });
    await server.call('PUT', body.data.attributes['upload-url'].replace(server.address, ''), {
      body: archive(),
      headers: { 'content-type': 'application/octet-stream' },
    });
    await make('/runs', 'runs', { message: 'a reason' }, { workspace: ['workspaces', id] });
    const page = await on().openAs(server.userToken, '/acme/agents');
    await page.getByRole('row', { name: /site/ }).getByText('none connected').waitFor();
    await page.getByRole('link', { name: 'site' }).click();
    await page.getByText('No agent is connected. Queued runs start').waitFor();
    await page.getByRole('link', { name: 'Run of waits' }).waitFor();

    const token = await namedToken(on(), `/agent-pools/${pool}/authentication-tokens`, 'rack 4');
    const agent = await server.call('POST', `/api/v2/agent-pools/${pool}/agents`, {
      token,
      body: { data: { type: 'agents', attributes: { name: 'rack-4', engines: ['tofu 1.11.0'] } } },
    });
    const row = page.getByRole('row', { name: /rack-4/ });
    await row.getByText('idle').waitFor();
    await row.getByText('tofu 1.11.0').waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await server.call('PATCH', `/api/v2/agents/${agent.body.data.id}`, {
      token,
      body: { data: { type: 'agents', attributes: { status: 'exited' } } },
    });
    await row.getByText('exited').waitFor();
    await row.getByRole('button', { name: 'Deregister agent rack-4…' }).click();
    await page.getByRole('button', { name: 'Deregister', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows a member without permissions the visible parts, and no buttons', async () => {
    const { server } = on();
    const make = makeOf(on());
    const text = await newUser(on(), 'plain');
    const membership = await make('/organizations/acme/organization-memberships', 'organization-memberships', {
      email: 'plain@example.com',
    });
    const team = await make('/organizations/acme/teams', 'teams', { name: 'readable', visibility: 'organization' });
    await server.call('POST', `/api/v2/organization-memberships/${membership}/actions/accept`, { token: text });
    const page = await on().openAs(text, '/acme/teams');
    const main = page.getByRole('main');
    for (const place of [
      '/acme/projects',
      '/acme/teams',
      '/acme/members',
      '/acme/agents',
      '/acme/settings',
      '/acme/settings/deletion',
      '/acme/settings/tokens',
      '/acme/settings/version-control',
      '/acme/settings/tags',
      '/acme/settings/run-tasks',
      '/acme/settings/ssh-keys',
      '/acme/settings/recoverable',
      '/acme/settings/retention',
      `/acme/teams/${team}`,
    ]) {
      await page.goto(`/app${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      const buttons = await main.getByRole('button').allInnerTexts();
      expect([place, buttons.filter((name) => !name.startsWith('org-'))]).toEqual([place, []]);
    }
  });

  it('stores the selected time zone, and nothing else', async () => {
    const page = await on().openAs(on().server.userToken, '/~account', { timezoneId: 'Asia/Tokyo' });
    await page.getByLabel('Time zone').selectOption('local');
    await page.getByText('GMT+9').first().waitFor();
    await page.reload();
    await page.getByText('GMT+9').first().waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{"zone":"local"}');
    await page.getByLabel('Time zone').selectOption('utc');
    await page.getByText(/Current time: .* UTC/).waitFor();
  });

  it('is deleted by its name, and lists its contents before', async () => {
    await makeOf(on())('/organizations', 'organizations', { name: 'passing', email: 'p@example.com' });
    const page = await on().openAs(on().server.userToken, '/passing/settings/deletion');
    await page.getByRole('button', { name: 'Delete organization passing…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('0 workspaces with all states and runs, 1 team').waitFor();
    await dialog.getByLabel('Name').fill('passing');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'passing' }).waitFor({ state: 'detached' });
  });
});
