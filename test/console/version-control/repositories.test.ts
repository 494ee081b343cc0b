import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliveryHeaders, type FakeProvider, type FakeRepository, fakeGitea } from '../../support/vcs/fake-github.ts';
import { barriers, bench, describeConsole } from '../support/console.ts';
import { makeOf } from '../support/organization.ts';
import { laidOut } from '../support/visits.ts';

const AT = '/acme/settings/version-control';
const ADDRESS = 'https://lock.example.com';
const POLL = { timeout: 30_000, interval: 100 };

describeConsole('repositories in the console', () => {
  const on = bench(undefined, { vcs: { allowedAddresses: ['127.0.0.1'] }, publicAddress: ADDRESS });
  let gitea: FakeProvider;
  beforeAll(async () => {
    gitea = await fakeGitea();
  });
  afterAll(() => gitea.stop());

  const get = async (path: string) => (await on().server.user('GET', `/api/v2${path}`)).body;

  /** A connection with a workspace that follows a repository. The server has looked at it once. */
  async function follow(
    name: string,
    attributes: object = {},
  ): Promise<{ client: string; repository: FakeRepository }> {
    const repository = await gitea.createRepository(`ada/${name}`);
    const client = await makeOf(on())('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ name: `gitea for ${name}`, 'service-provider': 'gitea', 'http-url': gitea.httpUrl },
      ...{ 'api-url': gitea.apiUrl, 'oauth-token-string': gitea.token },
      ...attributes,
    });
    const status = async () => (await get(`/oauth-clients/${client}`)).data.attributes['connection-status'];
    await expect.poll(status, POLL).toBe('ok');
    const token = (await get(`/oauth-clients/${client}/oauth-tokens`)).data[0].id;
    await makeOf(on())('/organizations/acme/workspaces', 'workspaces', {
      ...{ name, 'execution-mode': 'remote', 'queue-all-runs': true, 'file-triggers-enabled': false },
      'vcs-repo': { identifier: repository.fullName, 'oauth-token-id': token },
    });
    const looked = async () =>
      (await get(`/oauth-clients/${client}/vcs-repositories`)).data[0]?.attributes['looked-up-at'] ?? null;
    await expect.poll(looked, POLL).not.toBeNull();
    return { client, repository };
  }

  async function checked(page: Page): Promise<void> {
    expect(await barriers(page)).toEqual([]);
    await laidOut(page, 320);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await barriers(page, 'shapes')).toEqual([]);
    await laidOut(page, 1440);
  }

  it('shows health, webhook, deliveries and events of a repository, and looks again when asked', async () => {
    const { client, repository } = await follow('network');
    const page = await on().openAs(on().server.userToken, `${AT}/${client}`);
    const row = page.getByRole('table', { name: 'Repositories' }).getByRole('row', { name: /ada\/network/ });
    await row.getByText('made by this server').waitFor();
    await row.getByText('Works', { exact: true }).waitFor();
    await checked(page);

    const before = await repository.git.id();
    const after = await repository.git.commit({ 'main.tf': '# second' }, 'second');
    on().server.advance(1);
    await deliver(repository, before, after);
    await row.getByRole('link').click();
    await page.getByText('This server made the webhook').waitFor();
    const delivery = page.getByRole('row', { name: /push refs\/heads\/main/ });
    await delivery.getByText('found 1 changes').waitFor();
    await page.getByText('By the webhook, and by a look every 10 minutes.').waitFor();
    await checked(page);

    const third = await repository.git.commit({ 'main.tf': '# third' }, 'third');
    await delivery.getByRole('button', { name: /^Try again: delivery/ }).click();
    await page.getByRole('link', { name: 'Version control' }).first().click();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('row', { name: new RegExp(`Commit ${third.slice(0, 7)}`) }).waitFor();
    const second = page.getByRole('row', { name: new RegExp(`Commit ${after.slice(0, 7)}`) });
    await second.getByText('1 of 1 workspace', { exact: true }).waitFor();
    await second.getByText('ada', { exact: true }).waitFor();
    await checked(page);
    expect(await second.getByRole('link', { name: /^Commit/ }).getAttribute('href')).toMatch(
      /\/app\/acme\/vcs-events\/ve-/,
    );
    await page.getByLabel('Level').selectOption('error');
    await page.getByText('No events in this period.').waitFor();
    expect(page.url()).toContain('level=error');
    await page.getByLabel('Level').selectOption({ label: 'all' });
    await page.getByLabel('Connection').selectOption({ label: 'gitea for network' });
    await second.waitFor();
  });

  it('explains a webhook by hand: why, the URL, and a secret that is shown once', async () => {
    gitea.server.misbehave = (incoming, response, answer) =>
      incoming.url?.endsWith('/hooks') && incoming.method === 'POST'
        ? response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"not allowed"}')
        : answer();
    const { client } = await follow('by-hand');
    gitea.server.misbehave = undefined;
    const page = await on().openAs(on().server.userToken, `${AT}/${client}`);
    await page.getByRole('link', { name: 'ada/by-hand' }).click();
    await page.getByText('The connection may not make webhooks.').waitFor();
    await page.getByText('403').first().waitFor();
    await page.getByText('By a look every minute.').waitFor();
    await page.getByRole('button', { name: /^Copy the URL of the webhook https:\/\/lock\.example\.com/ }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    const shown = page.getByRole('region', { name: 'New secret of the webhook' });
    const secret = (await shown.getByRole('status').innerText()).trim();
    expect(secret.length).toBeGreaterThan(20);
    await checked(page);
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'New secret' }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('limits a connection to repositories and projects, renames it, and says what its deletion affects', async () => {
    const { client } = await follow('limited');
    const page = await on().openAs(on().server.userToken, `${AT}/${client}`);
    await page.getByLabel('Allowed repositories').fill('ada/*/*/**x');
    await page.getByRole('button', { name: 'Save repositories' }).click();
    await page.getByText('Allowed repositories must be identifiers').first().waitFor();
    await page.getByLabel('Allowed repositories').fill('ada/*\nteam/**\n');
    await page.getByRole('button', { name: 'Save repositories' }).click();
    await page.getByText('Saved').first().waitFor();
    await page.getByLabel('Available to').selectOption({ label: 'selected projects' });
    await page.getByText('No project yet').waitFor();
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'Default Project' });
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.getByRole('button', { name: 'Remove project Default Project' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'renamed', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Delete connection/ }).click();
    await page.getByText('One workspace loses the connection to its repository').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await get(`/oauth-clients/${client}`)).data.attributes).toMatchObject({
      ...{ name: 'renamed', 'allowed-repositories': ['ada/*', 'team/**'], 'organization-scoped': false },
      'affected-workspaces-count': 1,
    });
    // The browser logs the refused request.
    expect(on().complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });

  it('pages through many repositories, and finds one of many projects', async () => {
    const { client } = await follow('many');
    const [{ id: token }] = (await get(`/oauth-clients/${client}/oauth-tokens`)).data;
    const numbers = Array.from({ length: 60 }, (_, number) => String(number).padStart(3, '0'));
    for (const number of numbers) {
      const { fullName } = await gitea.createRepository(`ada/of-many-${number}`);
      await makeOf(on())('/organizations/acme/workspaces', 'workspaces', {
        ...{ name: `of-many-${number}`, 'execution-mode': 'remote' },
        'vcs-repo': { identifier: fullName, 'oauth-token-id': token },
      });
    }
    for (let number = 0; number < 110; number++)
      await makeOf(on())('/organizations/acme/projects', 'projects', { name: `project ${number}` });
    const found = async () =>
      (await get(`/oauth-clients/${client}/vcs-repositories`)).meta.pagination['total-count'] as number;
    await expect.poll(found, POLL).toBe(61);
    const page = await on().openAs(on().server.userToken, `${AT}/${client}`);
    const rows = page.getByRole('table', { name: 'Repositories' }).getByRole('row');
    const shown: string[] = [];
    await page.getByText('1 to 50 of 61').waitFor();
    shown.push(...(await rows.getByRole('link').allInnerTexts()));
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51 to 61 of 61').waitFor();
    await expect.poll(() => rows.getByRole('link').count()).toBe(11);
    shown.push(...(await rows.getByRole('link').allInnerTexts()));
    expect(new Set(shown).size).toBe(61);
    await page.getByLabel('Available to').selectOption({ label: 'selected projects' });
    await page.getByLabel('Find a project').fill('project 109');
    await page.getByLabel('Project', { exact: true }).selectOption({ label: 'project 109' });
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.getByRole('button', { name: 'Remove project project 109' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Remove project (project 109|prj-)/ }).click();
    await page.getByText('No project yet').waitFor();
    await checked(page);
  });

  it('changes the settings of pull requests, and warns of plans of forks', async () => {
    const page = await on().openAs(on().server.userToken, `${AT}/pull-requests`);
    expect(await page.getByLabel('Passing status for workspaces without a plan').isDisabled()).toBe(true);
    await page.getByLabel('Plans of forks').selectOption({ label: 'after approval of each commit' });
    await page.getByText('A plan executes code of its author').waitFor();
    await page.getByLabel('One status for each commit').uncheck();
    await page.getByLabel('Passing status for workspaces without a plan').check();
    await page.getByLabel('Comment with the plans in each pull request').check();
    await page.getByLabel('Cancel plans of older commits').uncheck();
    await checked(page);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved').waitFor();
    expect((await get('/organizations/acme')).data.attributes).toMatchObject({
      ...{ 'fork-plans': 'approved', 'aggregated-commit-status-enabled': false, 'pull-request-comments': true },
      'send-passing-statuses-for-untriggered-speculative-plans': true,
      'speculative-plan-management-enabled': false,
    });
  });

  /** Sends the webhook of a push to the server itself. */
  async function deliver(repository: FakeRepository, before: string, after: string): Promise<void> {
    const [hook] = repository.hooks;
    const sender = { login: 'ada', avatar_url: `${gitea.httpUrl}/ada.png`, html_url: `${gitea.httpUrl}/ada` };
    const { id, fullName } = repository;
    const payload = { ref: 'refs/heads/main', before, after, repository: { id, full_name: fullName }, sender };
    const body = JSON.stringify(payload);
    const headers = deliveryHeaders('gitea', 'push', hook?.secret ?? '', body);
    const answer = await on().server.call('POST', new URL(hook?.url ?? '').pathname, { body, headers });
    expect(answer.status).toBe(202);
  }
});
