import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FakeEnterprise, startFakeEnterprise } from '../../support/vcs/fake-enterprise.ts';
import { type FakeProvider, fakeGitea, fakeGitHub } from '../../support/vcs/fake-github.ts';
import { barriers, bench, describeConsole } from '../support/console.ts';
import { hostile } from '../support/organization.ts';

const AT = '/acme/settings/version-control';

describeConsole('connecting a provider in the console', () => {
  const on = bench(undefined, { vcs: { allowedAddresses: ['127.0.0.1'] } });
  let gitea: FakeProvider;
  let github: FakeProvider;
  let enterprise: FakeEnterprise;
  beforeAll(async () => {
    [gitea, github] = [await fakeGitea(), await fakeGitHub()];
    enterprise = await startFakeEnterprise(github);
  });
  afterEach(() => {
    gitea.server.misbehave = undefined;
  });
  afterAll(async () => {
    await gitea.stop();
    enterprise.stop();
    await github.stop();
  });

  /** Goes through the first two steps. */
  async function toCredential(page: Page, provider: string, url: string, name = ''): Promise<void> {
    await page.getByRole('link', { name: 'Connect a provider' }).click();
    await page.getByRole('link', { name: provider }).first().click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('URL', { exact: true }).fill(url);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'At ' }).or(page.getByLabel('Connect with')).first().waitFor();
  }

  it('connects by an access token, says that a wrong one is refused, and replaces it', async () => {
    const page = await on().openAs(on().server.userToken, AT);
    await page.getByText('No connections yet.').waitFor();
    await toCredential(page, 'Gitea', `${gitea.httpUrl}/`, hostile);
    // The API URL followed from the URL, and the choices are in the address.
    expect(new URL(page.url()).searchParams.get('api')).toBe(gitea.apiUrl);
    await page.reload();
    const guide = page.getByRole('region', { name: 'At Gitea' });
    await guide.getByRole('button', { name: /write:repository/ }).waitFor();
    expect(await guide.getByRole('link', { name: /Open the page at Gitea/ }).getAttribute('href')).toBe(
      `${gitea.httpUrl}/user/settings/applications`,
    );
    await page.getByLabel('Access token', { exact: true }).fill('dummy');
    await page.getByRole('button', { name: 'Connect and check' }).click();
    await page.getByText('The provider did not accept the connection.').waitFor();
    await page.getByText('401').first().waitFor();
    expect(page.url()).not.toContain('dummy');

    await page.getByRole('link', { name: 'Open the connection' }).click();
    await page.getByRole('heading', { name: hostile, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replace token…' }).click();
    await page.getByRole('dialog').getByLabel('Access token').fill(gitea.token);
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    await page.getByText('ada').waitFor();
    expect(await barriers(page)).toEqual([]);

    gitea.server.misbehave = (_request, response) => response.writeHead(503).end();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Unreachable', { exact: true }).waitFor();
    gitea.server.misbehave = undefined;
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Works', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Version control' }).first().click();
    const row = page.getByRole('row', { name: hostile });
    await row.getByText('Works', { exact: true }).waitFor();
    await row.getByText('ada').waitFor();
    await row.getByRole('link').first().click();
    await page.getByRole('button', { name: /^Delete connection/ }).click();
    await page.getByText('No workspace uses it.').waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill(hostile);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No connections yet.').waitFor();
  });

  it('connects by an OAuth application: the callback URL first, then the sign-in at the provider, and back', async () => {
    const page = await on().openAs(on().server.userToken, AT);
    await toCredential(page, 'Gitea', gitea.httpUrl, 'by sign-in');
    await page.getByLabel('Connect with').selectOption({ label: 'OAuth application' });
    await page.getByRole('button', { name: 'Create connection' }).click();
    const callback = await page.getByRole('button', { name: /^Copy the callback URL/ }).innerText();
    expect(callback).toMatch(new RegExp(`^${on().server.address}/auth/[0-9a-f-]{36}/callback$`));
    await page.getByLabel('Client ID').fill(gitea.oauth.clientId);
    await page.getByLabel('Client secret').fill(gitea.oauth.clientSecret);
    await page.getByRole('button', { name: 'Save and sign in at Gitea' }).click();
    await page.getByRole('button', { name: 'Continue to Gitea' }).click();
    await page.getByRole('link', { name: 'Open it in the console' }).click();
    await page.getByRole('heading', { name: 'by sign-in', exact: true }).waitFor();
    await page.getByText('Works', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sign in at Gitea' }).waitFor();
  });

  it('creates a GitHub App by a manifest, and links its installations', async () => {
    const page = await on().openAs(on().server.userToken, AT);
    await toCredential(page, 'GitHub Enterprise', enterprise.httpUrl);
    await page.getByLabel('Organization at GitHub').fill('acme');
    await page.getByRole('button', { name: 'Create the App at GitHub' }).click();
    await page.getByRole('button', { name: 'Create the App at GitHub' }).click();
    await page.getByRole('heading', { name: 'Lockkeeper acme' }).waitFor();
    const [app] = github.apps.values();
    app?.installations.push({ id: 4711, login: 'acme-inc', type: 'Organization', users: ['ada'] });

    await page.goto(`/app${AT}`);
    await page.getByText('No installation is linked yet.').waitFor();
    await page.getByRole('button', { name: 'Link installations' }).click();
    await page.getByRole('link', { name: 'Open it in the console' }).click();
    await page.getByRole('link', { name: 'acme-inc', exact: true }).click();
    await page.getByText('installation of the GitHub App').waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
  });

  it('offers every provider, and starts again for choices that make no sense', async () => {
    const page = await on().openAs(on().server.userToken, `${AT}/new?provider=unknown&step=9`);
    await page.getByText('Choose the provider that has your repositories.').waitFor();
    expect(await page.getByRole('list').filter({ hasText: 'Git over HTTPS' }).getByRole('listitem').count()).toBe(13);
  });
});
