import { expect, it } from 'vitest';
import { makeRun } from './pages/access/overview.ts';
import { bench, describeConsole, makeWorkspace } from './support/console.ts';

describeConsole('the overview', () => {
  const on = bench();

  it('lists what needs attention, and updates itself', async () => {
    const waiting = await makeWorkspace(on(), 'waits');
    const run = await makeRun(on(), waiting, 'a change', 'planning', 'planned');
    const page = await on().openAs(on().server.userToken, '/~overview');
    const decisions = page.getByRole('region', { name: 'Waiting for confirmation' });
    await decisions.getByRole('link', { name: 'Review: waits' }).waitFor();
    await decisions.getByText('planned: 3 to add, 2 to change, 1 to destroy').waitFor();
    // The event stream updates the page without a reload.
    const failed = await makeRun(
      on(),
      await makeWorkspace(on(), 'fails'),
      '<script>alert(1)</script>',
      'planning',
      'errored',
    );
    const broken = page.getByRole('region', { name: 'Broken' });
    await broken.getByText('errored while planning: <script>alert(1)</script>').waitFor();
    await on().server.user('POST', `/api/v2/runs/${run}/actions/discard`, {});
    await decisions.waitFor({ state: 'detached' });
    await page.getByText('1 item needs attention').waitFor();
    await broken.getByRole('link', { name: 'Show log: fails' }).click();
    await page.waitForURL(`**/app/acme/workspaces/fails/runs/${failed}`);
  });

  it('opens with a key, for an organization and for the server', async () => {
    await makeWorkspace(on(), 'keys');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/keys');
    await page.getByRole('heading', { name: 'keys', level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.waitForURL('**/app/~overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    // The navigation of the organization stays.
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.waitForURL('**/app/acme/workspaces');
  });

  it('opens with only a token of the access API', async () => {
    const page = await on().openAs(on().server.rootToken, '/');
    await page.waitForURL('**/app/~overview');
    // The CA of the tests expires after some days.
    const soon = page.getByRole('region', { name: 'Expiring soon' });
    await soon.getByText('its CA CN=Clients expires on').waitFor();
    await soon.getByRole('link', { name: 'Show role: role people' }).waitFor();
    await soon.getByText(/^in [1-9]\d* (d|h|mo)$/).waitFor();
  });

  it('names a CRL that is past its next update', async () => {
    const { server, clients } = on();
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const { pem } = clients.crl({ thisUpdate: ago(48), nextUpdate: ago(19.5) });
    const written = await server.root('PUT', '/v1/auth/cert/crls/partners', { crl: pem, on_stale: 'refuse' });
    expect([200, 204]).toContain(written.status);
    const page = await on().openAs(server.rootToken, '/~overview');
    const broken = page.getByRole('region', { name: 'Broken' });
    await broken.getByText('this CRL is 19 hours past its next update; logins that need it are refused').waitFor();
    await server.root('DELETE', '/v1/auth/cert/crls/partners');
  });

  it('the first steps lead from an empty server to a locked workspace, and show what is done', async () => {
    const page = await on().openBoth('/~overview');
    await page.getByRole('link', { name: 'First steps' }).click();
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor();
    const step = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
    await step('Role').getByText('done', { exact: true }).waitFor();
    await step('Policy').getByText('next', { exact: true }).waitFor();
    const command = await step('Policy').locator('code').innerText();
    const [, policy = ''] = /policy='(.*)'/.exec(command) ?? [];
    await on().server.root('PUT', '/v1/sys/policies/acl/role-admin', { policy });
    await step('Policy').getByText('done', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Do not show again' }).click();
    await page.waitForURL('**/app/~overview');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'First steps' }).count()).toBe(0);
  });
});
