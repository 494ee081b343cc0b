import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { type Connected, connectProvider, WITH_PROVIDERS } from '../support/vcs.ts';

describeConsole('the repository of a workspace', () => {
  const on = bench(undefined, WITH_PROVIDERS);
  let connected: Connected;
  beforeAll(async () => {
    connected = await connectProvider(on());
  });
  afterAll(() => connected.provider.stop());
  const shown = async (name: string) =>
    (await on().server.user('GET', `/api/v2/organizations/acme/workspaces/${name}`)).body.data;

  it('is chosen by search, previewed and connected, and disconnected again', async () => {
    const repository = await connected.repository('network');
    await repository.git.commit({ 'net/main.tf': '# 2' }, 'widen the network');
    await repository.git.commit({ 'app/main.tf': '# 2' }, 'change the app');
    await repository.git.git('branch', 'next');
    await makeWorkspace(on(), 'follows');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/follows/settings/version-control');
    await page.getByLabel('Connection', { exact: true }).selectOption('Forge');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Repository', { exact: true }).fill('net');
    await page.getByText('1 repository found').waitFor();
    await page.locator('datalist option[value="acme/network"]').first().waitFor({ state: 'attached' });
    await page.getByLabel('Repository', { exact: true }).fill('acme/network');
    await page.getByText('the default branch, now main').waitFor();
    await page.getByLabel('Branch', { exact: true }).fill('nex');
    await page.locator('datalist option[value="next"]').waitFor({ state: 'attached' });
    await page.getByText('no branch nex now').waitFor();
    await page.getByLabel('Branch', { exact: true }).fill('main');

    await page.getByLabel('Pushes that start runs').selectOption('pushes that change files of some patterns');
    await page.getByLabel('Patterns').fill('/net/**/*');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByText('2 of 3 would start a run').waitFor();
    const commits = page.getByRole('table', { name: 'Preview of the last commits' });
    const row = commits.getByRole('row', { name: /widen the network/ });
    await row.getByText('starts a run').waitFor();
    await row.getByText('The trigger pattern /net/**/* matches net/main.tf.').first().waitFor();
    await commits
      .getByRole('row', { name: /change the app/ })
      .getByText('no run', { exact: true })
      .waitFor();
    expect((await shown('follows')).attributes['vcs-repo']).toBeNull();

    await page.getByLabel('Patterns').fill('/{a,b}');
    await page.getByText('The settings have changed since this preview.').waitFor();
    await save.click();
    await page.getByText('Braces are not supported').first().waitFor();
    expect(await page.getByLabel('Patterns').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Patterns').fill('/net/**/*\n/modules/**/*');
    await page.getByLabel('Start runs from the beginning').uncheck();
    await save.click();
    await page.getByText('following', { exact: true }).waitFor();
    await page.getByText('Next look-up').waitFor();
    expect((await shown('follows')).attributes).toMatchObject({
      'vcs-repo': { identifier: 'acme/network', branch: 'main', 'oauth-token-id': connected.token },
      'trigger-patterns': ['/net/**/*', '/modules/**/*'],
      'queue-all-runs': false,
    });
    await page.getByRole('button', { name: 'Look now' }).click();

    await page.getByRole('button', { name: 'Stop following…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop following', exact: true }).click();
    await expect.poll(async () => (await shown('follows')).attributes['vcs-repo']).toBeNull();
    expect(
      on()
        .complaints.splice(0)
        .filter((line) => !/422|404/.test(line)),
    ).toEqual([]);
  });

  it('has a problem in words: it is gone, or its connection is', async () => {
    const repository = await connected.repository('lost');
    await connected.follow('loses', repository);
    connected.provider.repositories.splice(connected.provider.repositories.indexOf(repository), 1);
    rmSync(repository.git.folder, { recursive: true });
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/loses/settings/version-control');
    await page.getByText('following', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByText('not found', { exact: true }).waitFor();
    await page.getByText('has no such repository').first().waitFor();
    on().complaints.splice(0);
  });

  it('is set when a workspace is created', async () => {
    await connected.repository('fresh');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/~new');
    await page.getByLabel('Name', { exact: true }).fill('born');
    await page.getByLabel('Connection', { exact: true }).selectOption('Forge');
    await page.getByLabel('Repository', { exact: true }).fill('acme/fresh');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.waitForURL('**/acme/workspaces/born/settings/version-control');
    await page.getByText('following', { exact: true }).waitFor();
    expect((await shown('born')).attributes).toMatchObject({
      'vcs-repo': { identifier: 'acme/fresh', 'oauth-token-id': connected.token },
      'queue-all-runs': true,
    });
  });

  it('cannot be chosen without a connection, and the page says what to do', async () => {
    await on().server.user('POST', '/api/v2/organizations', {
      data: { type: 'organizations', attributes: { name: 'bare', email: 'a@example.com' } },
    });
    const page = await on().openAs(on().server.userToken, '/bare/workspaces/~new');
    await page.getByText('has no connection to a VCS provider').waitFor();
    await page.getByRole('link', { name: 'Connect a provider' }).click();
    await page.waitForURL('**/bare/settings/version-control/new');
  });
});
