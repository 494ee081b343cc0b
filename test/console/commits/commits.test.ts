import { afterAll, beforeAll, expect, it } from 'vitest';
import { colleague } from '../support/colleague.ts';
import { bench, describeConsole, makeWorkspace } from '../support/console.ts';
import { type Connected, connectProvider, WITH_PROVIDERS } from '../support/vcs.ts';

describeConsole('commits of a workspace', () => {
  const on = bench(undefined, WITH_PROVIDERS);
  let connected: Connected;
  beforeAll(async () => {
    connected = await connectProvider(on());
  });
  afterAll(() => connected.provider.stop());

  it('each push says why it started a run or not, and leads to its run and to all workspaces', async () => {
    const repository = await connected.repository('watched');
    const id = await connected.follow('watches', repository, { 'trigger-prefixes': ['net'] });
    await connected.follow('beside', repository);
    await repository.git.commit({ 'net/main.tf': '#' }, 'wider net');
    await connected.lookUp(id);
    const skipped = await repository.git.commit({ 'README.md': '#' }, 'only words');
    await connected.lookUp(id);
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/watches/commits');
    const events = page.getByRole('table', { name: /^Events of the repository/ });
    const row = events.getByRole('row', { name: new RegExp(skipped.slice(0, 7)) });
    await row.getByText('no run', { exact: true }).waitFor();
    await row.getByText('All questions').click();
    await row.getByText('Do the changed files concern this workspace?').waitFor();
    await events.getByText('The trigger prefix net contains net/main.tf.').first().waitFor();
    await row.getByRole('link', { name: /all 2/ }).click();
    await page.getByRole('heading', { name: 'branch main of acme/watched', level: 1 }).waitFor();
    await page.getByText('1 of 2 workspaces started a run.').waitFor();
    const results = page.getByRole('table', { name: 'Results of the event by workspace' });
    await results
      .getByRole('row', { name: /beside/ })
      .getByText('plan queued')
      .waitFor();
    await results
      .getByRole('row', { name: /beside/ })
      .getByRole('link', { name: /Open run/ })
      .click();
    await page.getByRole('heading', { name: 'only words', level: 1 }).waitFor();
    await page
      .getByRole('link', { name: skipped.slice(0, 7) })
      .first()
      .waitFor();
    await page.goto('/app/acme/workspaces/beside/runs');
    const runs = page.getByRole('row', { name: /only words/ });
    await runs.getByText('branch main').waitFor();
  });

  it('only users who may change a workspace without a repository are led to its settings', async () => {
    const id = await makeWorkspace(on(), 'follows-none');
    const at = '/acme/workspaces/follows-none/commits';
    const page = await on().openAs(on().server.userToken, at);
    await page.getByRole('link', { name: 'Connect a repository' }).waitFor();
    const theirs = await on().openAs(await colleague(on(), 'reader', id, 'read'), at);
    await theirs.getByText('No repository yet').waitFor();
    expect(await theirs.getByRole('link', { name: 'Connect a repository' }).count()).toBe(0);
  });

  it('any commit, branch or tag is explained, and the URL keeps the question', async () => {
    const repository = await connected.repository('asked');
    const id = await connected.follow('asks', repository);
    await repository.git.git('tag', 'v1');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/asks/commits');
    await page.getByLabel('About').selectOption('a tag');
    await page.getByLabel('Name of the tag').fill('v1');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('The server has not seen an event of this commit.').waitFor();
    await page.getByText('Tags start runs only with a tags regex.').first().waitFor();
    expect(new URL(page.url()).search).toBe('?tag=v1');
    await page.getByLabel('Name of the tag').fill('v2');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByRole('alert').getByText('The repository has no such tag').waitFor();
    await page.goto('/app/acme/workspaces/asks/commits?newest=yes');
    await page.getByText('This is what the server decided.').waitFor();
    expect(id).toMatch(/^ws-/);
    expect(
      on()
        .complaints.splice(0)
        .filter((line) => !line.includes('422')),
    ).toEqual([]);
  });

  it('a commit of a fork is planned after a user approves it', async () => {
    await on().server.user('PATCH', '/api/v2/organizations/acme', {
      data: { type: 'organizations', attributes: { 'fork-plans': 'approved' } },
    });
    const repository = await connected.repository('forked');
    const id = await connected.follow('guarded', repository);
    const fork = await connected.provider.fork(repository, 'mallory');
    await fork.git.git('checkout', '--quiet', '-B', 'help');
    const commit = await fork.git.commit({ 'main.tf': '# help' }, 'helpful');
    await connected.provider.openPull(repository, 'help', fork);
    await connected.lookUp(id);
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/guarded/commits');
    const events = page.getByRole('table', { name: /^Events of the repository/ });
    await events.getByText('pull request #1 from help').first().waitFor();
    await events.getByRole('button', { name: 'Approve this commit for guarded…' }).click();
    const dialog = page.getByRole('dialog', { name: `Plan commit ${commit.slice(0, 7)} of a fork in guarded` });
    await dialog.getByRole('button', { name: 'Approve and plan' }).click();
    await events.getByText('plan only').waitFor();
    await events.getByText('The plan gets no secrets').first().waitFor();
    await events
      .getByRole('row', { name: /plan only/ })
      .getByRole('link', { name: /Open run/ })
      .click();
    await page.getByRole('heading', { name: 'helpful', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'pull request #1' }).first().waitFor();
  });

  it('a run is started from the newest commit, from a branch, and says why it cannot', async () => {
    const repository = await connected.repository('by-hand');
    await connected.follow('hands', repository);
    await repository.git.commit({ 'main.tf': '# 2' }, 'second');
    await repository.git.commit({ 'main.tf': '# 3' }, 'third');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/hands/runs');
    await page.getByRole('row', { name: /first/ }).waitFor();
    await page.getByRole('button', { name: 'Start run…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is 2 commits ahead of the latest configuration.').waitFor();
    await dialog.getByLabel('Configuration').selectOption('another branch or tag');
    await dialog.getByLabel('Branch, tag or commit').fill('none');
    await dialog.getByRole('button', { name: 'Start run', exact: true }).click();
    await dialog.getByRole('alert').getByText('has no branch or tag none').waitFor();
    await dialog.getByLabel('Configuration').selectOption('newest commit of the default branch');
    await dialog.getByLabel('Type').selectOption('Plan only');
    await dialog.getByLabel('Message').fill('try the newest');
    await dialog.getByRole('button', { name: 'Start run', exact: true }).click();
    await page.getByRole('heading', { name: 'try the newest', level: 1 }).waitFor();
    await page.getByText(/^Plan of/).waitFor();
    await page.getByRole('link', { name: 'History and details' }).click();
    await page.getByText('third', { exact: true }).waitFor();
    on().complaints.splice(0);
  });

  it('without a repository, the page offers to connect one', async () => {
    await makeWorkspace(on(), 'uploads');
    const page = await on().openAs(on().server.userToken, '/acme/workspaces/uploads/commits');
    await page.getByRole('link', { name: 'Connect a repository' }).click();
    await page.waitForURL('**/acme/workspaces/uploads/settings/version-control');
  });
});
