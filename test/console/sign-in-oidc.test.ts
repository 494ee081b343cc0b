import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CertifiedProvider, CLIENT_ID, CLIENT_SECRET } from '../support/oidc/certified.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openBrowser } from './support/browser.ts';
import { Bench, describeConsole } from './support/console.ts';

describeConsole('signing in with a provider', () => {
  let browser: Browser;
  let server: TestServer;
  let on: Bench;
  let provider: CertifiedProvider;
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-'));

  beforeAll(async () => {
    provider = await CertifiedProvider.start();
    const authoritiesFile = join(folder, 'provider.pem');
    writeFileSync(authoritiesFile, provider.ca);
    server = await startTestServer('sqlite', {
      services: ['access', 'workspaces', 'console'],
      notifications: { allowedAddresses: ['127.0.0.1'] },
      signIn: {
        sessionIdle: 8 * 3600,
        sessionLifetime: 24 * 3600,
        reauthenticateAfter: 3600,
        organizationProviders: true,
        oidc: {
          name: 'Example ID',
          issuer: provider.issuer,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email', 'groups'],
          claims: { name: 'preferred_username', email: 'email', groups: 'groups' },
          rules: {
            ...{ create: 'always', linkByEmail: false, ssoTeamIds: true, siteAdminGroups: [] },
            teams: [{ group: 'platform', organization: 'acme', team: 'platform' }],
          },
          authoritiesFile,
          allowedAddresses: ['127.0.0.1'],
        },
      },
    });
    browser = await openBrowser();
    on = new Bench(server, browser);
    const data = { type: 'organizations', attributes: { name: 'acme', email: 'a@example.com' } };
    const { body } = await server.user('POST', '/api/v2/organizations', { data });
    const place = `${server.address}/app/~session/oidc`;
    const ofAcme = `${place}/organizations/${body.data.attributes['external-id']}/callback`;
    provider.serve([`${place}/callback`, ofAcme], true);
    await server.user('POST', '/api/v2/organizations/acme/teams', {
      data: { type: 'teams', attributes: { name: 'platform' } },
    });
  });
  afterAll(async () => {
    await on?.closeWindows();
    await browser?.close();
    await server?.stop();
    provider?.stop();
    rmSync(folder, { recursive: true });
  });

  it('signs in and out, and an administrator can end the sessions', async () => {
    const page = await on.open();
    await page.goto('/app');
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.getByPlaceholder('Enter any login').fill('grace');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    const consent = page.getByRole('button', { name: 'Continue' });
    await consent.click();
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.goto('/app/~account');
    await page.getByText('Signed in as grace, a user.').waitFor();
    await page.getByText('(this browser)').waitFor();

    // The provider reported no auth_time, so the user signs in there again and returns to the same page.
    const makeToken = async () => {
      await page.getByRole('button', { name: 'New token of grace' }).click();
      await page.getByLabel('Description').fill('mine');
      await page.getByRole('button', { name: 'Create token' }).click();
    };
    await makeToken();
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
    await asked.waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create token' }).click();
    await asked.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.getByPlaceholder('Enter any login').fill('grace');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.waitForURL('**/app/~account');
    await makeToken();
    await page.getByText('lku.').first().waitFor();
    await page.goto('/app/~account');
    await page.getByText('(this browser)').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/~sign-in/);
    // The session at the provider still exists.
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();

    const { tenancy } = server.application.workspaces;
    await tenancy.users.setSiteAdmin('first', true);
    const { data } = (await server.user('GET', '/api/v2/admin/users?q=grace')).body;
    const sessions = (await server.user('GET', `/api/v2/users/${data[0].id}/sessions`)).body.data;
    expect(sessions).toHaveLength(1);
    expect((await server.user('DELETE', `/api/v2/sessions/${sessions[0].id}`)).status).toBe(204);
    await page.reload();
    await page.waitForURL(/~sign-in/);
    const ours = on.complaints.splice(0).filter((line) => !line.includes('401'));
    expect(ours.filter((line) => line.includes(server.address))).toEqual([]);
  });

  it('an owner sets up the provider of an organization; users sign in with the name of the organization', async () => {
    const owner = await on.openAs(server.userToken, '/acme/settings/sign-in');
    await owner.getByText(/organizations\/org-\w+\/callback/).waitFor();
    await owner.getByRole('button', { name: 'Set up provider' }).click();
    await owner.getByLabel('Name', { exact: true }).fill('Acme ID');
    await owner.getByLabel('Issuer').fill('http://id.example.com');
    await owner.getByLabel('Client ID').fill(CLIENT_ID);
    await owner.getByLabel('Client secret').fill(CLIENT_SECRET);
    await owner.getByLabel('Create accounts for').selectOption('always');
    await owner.getByLabel('Scopes').fill('profile email groups');
    await owner.getByLabel('Team mapping').fill('platform');
    await owner.getByText('Write each line as group = team').waitFor();
    await owner.getByLabel('Team mapping').fill('platform = platform');
    await owner.getByLabel('CA certificates').fill(provider.ca);
    await owner.getByRole('button', { name: 'Set up provider' }).click();
    await owner.getByRole('alert').getByText('https URL').waitFor();
    await owner.getByLabel('Issuer').fill(provider.issuer);
    await owner.getByRole('button', { name: 'Set up provider' }).click();
    await owner.getByRole('button', { name: 'Save provider' }).waitFor();
    await owner.getByText('A secret is stored').waitFor();

    // The check runs before the first sign-in.
    const verdict = (check: string) =>
      owner.getByRole('listitem').filter({ has: owner.getByText(check, { exact: true }) });
    await owner.getByRole('button', { name: 'Check provider' }).click();
    await owner.getByRole('status').getByText('The provider is ready for a sign-in').waitFor();
    await verdict('client').getByText('the provider accepts this client').waitFor();
    await owner.getByLabel('Client secret').fill('of somebody else');
    await owner.getByRole('button', { name: 'Save provider' }).click();
    await owner.getByText('The provider is ready for a sign-in').waitFor({ state: 'detached' });
    await owner.getByRole('button', { name: 'Check provider' }).click();
    await owner.getByRole('status').getByText('Sign-in fails: client').waitFor();
    await verdict('client').getByText('Set client id and secret as configured at the provider').waitFor();
    await owner.getByLabel('Client secret').fill(CLIENT_SECRET);
    await owner.getByRole('button', { name: 'Save provider' }).click();
    await owner.getByText('Sign-in fails').waitFor({ state: 'detached' });

    const page = await on.open();
    await page.goto('/app/acme/workspaces');
    await page.getByRole('button', { name: 'Sign in with the identity provider of your organization' }).click();
    await page.getByLabel('Organization').fill('nobody');
    await page.getByRole('button', { name: 'Continue with the identity provider' }).click();
    await page.getByRole('alert').getByText('has no identity provider').waitFor();
    await page.getByLabel('Organization').fill('acme');
    await page.getByRole('button', { name: 'Continue with the identity provider' }).click();
    await page.getByPlaceholder('Enter any login').fill('mary');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/app/acme/workspaces');
    await page.getByRole('heading', { name: 'Workspaces', level: 1 }).waitFor();
    await page.goto('/app/~account');
    await page.getByText('Signed in as mary, a user.').waitFor();
    // The re-authentication uses the same provider.
    await page.getByRole('button', { name: 'New token of mary' }).click();
    await page.getByLabel('Description').fill('mine');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Continue with Acme ID' }).waitFor();

    await owner.getByRole('button', { name: 'Delete provider Acme ID…' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await owner.getByRole('button', { name: 'Set up provider' }).waitFor();
    await page.reload();
    await page.waitForURL(/~sign-in/);
    on.complaints.splice(0);
  });
});
