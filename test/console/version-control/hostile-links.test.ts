import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeProvider, fakeGitea } from '../../support/vcs/fake-github.ts';
import { barriers, bench, describeConsole, signIn } from '../support/console.ts';
import { makeOf } from '../support/organization.ts';

const AT = '/acme/settings/version-control';
const EVIL = 'https://evil.example/api';

describeConsole('links to the connection of a provider, made by a stranger', () => {
  const on = bench(undefined, { vcs: { allowedAddresses: ['127.0.0.1'] } });
  let gitea: FakeProvider;
  beforeAll(async () => {
    gitea = await fakeGitea();
    await on().server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'other', email: 'a@example.com' } },
    });
  });
  afterAll(() => gitea.stop());

  const link = (choices: Readonly<Record<string, string>>) =>
    `${AT}/new?${new URLSearchParams({ step: '3', way: 'token', ...choices })}`;

  /** Enters a token, and returns the URLs to which the server would send it. */
  async function sentTo(page: Page): Promise<[string, string]> {
    await page.route('**/oauth-clients', (route) => route.fulfill({ status: 422, json: { errors: [] } }));
    const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/oauth-clients'));
    await page.getByLabel('Access token', { exact: true }).fill('secret-token');
    await page.getByRole('button', { name: 'Connect and check' }).click();
    const { attributes } = (await request).postDataJSON().data;
    await page.getByRole('alert').first().waitFor();
    on().complaints.splice(0);
    return [attributes['http-url'], attributes['api-url']];
  }

  it.each([
    ['github', 'https://github.com', 'https://api.github.com'],
    ['gitlab_hosted', 'https://gitlab.com', 'https://gitlab.com/api/v4'],
    ['bitbucket_hosted', 'https://bitbucket.org', 'https://api.bitbucket.org/2.0'],
    ['ado_services', 'https://dev.azure.com', 'https://dev.azure.com'],
  ])('cannot lead a token of %s to another server', async (provider, http, api) => {
    const page = await on().openAs(on().server.userToken, link({ provider, http: EVIL, api: EVIL }));
    expect(await sentTo(page)).toEqual([http, api]);
  });

  it('keep the API of one organization at Azure DevOps', async () => {
    const api = 'https://acme.visualstudio.com';
    const page = await on().openAs(on().server.userToken, link({ provider: 'ado_services', api }));
    expect(await sentTo(page)).toEqual(['https://dev.azure.com', api]);
  });

  it('show the server that gets the credential, and are ignored without a web address', async () => {
    const own = 'https://git.corp.example';
    const page = await on().openAs(on().server.userToken, link({ provider: 'gitea', http: own, api: EVIL }));
    await page.getByText('Server that gets the credential').waitFor();
    await page.getByText(own, { exact: true }).waitFor();
    await page.getByText(EVIL, { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    for (const http of ['javascript:alert(1)//', 'https://me:secret@git.corp.example', 'git.corp.example']) {
      await page.goto(`/app${link({ provider: 'gitea', http, api: EVIL })}`);
      await page.getByLabel('URL', { exact: true }).waitFor();
      expect(await page.getByLabel('Access token').count()).toBe(0);
    }
  });

  it('do not change the connection of another organization, or show another server for one', async () => {
    const make = (organization: string) =>
      makeOf(on())(`/organizations/${organization}/oauth-clients`, 'oauth-clients', {
        ...{ name: `of ${organization}`, 'service-provider': 'gitea', 'http-url': 'https://evil.example' },
        ...{ 'api-url': EVIL, 'credential-later': true },
      });
    const [own, others] = [await make('acme'), await make('other')];
    const choices = { provider: 'github_enterprise', http: 'https://good.example', api: 'https://good.example/api/v3' };
    const page = await on().openAs(on().server.userToken, link({ ...choices, connection: own, way: 'oauth' }));
    await page.getByText('https://evil.example', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'At Gitea' }).waitFor();
    expect(await page.getByText('good.example').count()).toBe(0);
    for (const path of [link({ ...choices, connection: others, way: 'oauth' }), `${AT}/${others}`]) {
      await page.goto(`/app${path}`);
      await page.getByText('The connection: not found, or no access').waitFor();
      expect(await page.getByText('evil.example').count()).toBe(0);
    }
  });

  it('lead to the sign-in and back when the session has ended before the token is sent', async () => {
    const at = link({ provider: 'gitea', http: gitea.httpUrl, api: gitea.apiUrl });
    const page = await on().openAs(on().server.userToken, at);
    await page.getByLabel('Access token', { exact: true }).fill(gitea.token);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Connect and check' }).click();
    await signIn(page, on().server.userToken);
    await page.getByLabel('Access token', { exact: true }).fill(gitea.token);
    await page.getByRole('button', { name: 'Connect and check' }).click();
    await page.getByText('The connection works.').waitFor();
    expect(`${page.url()}${await page.content()}`).not.toContain(gitea.token);
    expect(on().complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('that come back from a provider with a foreign state or an error are refused, with a way on', async () => {
    const client = await makeOf(on())('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ name: 'x', 'service-provider': 'gitea', 'http-url': gitea.httpUrl, 'api-url': gitea.apiUrl },
      ...{ key: gitea.oauth.clientId, secret: gitea.oauth.clientSecret },
    });
    const { attributes } = (await on().server.user('GET', `/api/v2/oauth-clients/${client}`)).body.data;
    const { pathname } = new URL(attributes['callback-url']);
    const page = await on().openAs(on().server.userToken, AT);
    for (const query of ['state=x&code=y', 'error=x&error_description=%3Cb%3Ehacked', `state=${'a'.repeat(5000)}`]) {
      await page.goto(`${pathname}?${query}`);
      await page.getByRole('alert').getByText('Start again').waitFor();
      expect(await page.getByText('hacked').count()).toBe(0);
    }
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.locator('#places').waitFor({ state: 'attached' });
    await page.goto(attributes['connect-path']);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Continue to Gitea' }).click();
    await page.getByRole('link', { name: 'Sign in to the console' }).waitFor();
    expect(
      on()
        .complaints.splice(0)
        .every((one) => one.includes('403')),
    ).toBe(true);
  });
});
