import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXECUTED, PATIENCE, Site, START_MS, type WorkingCopy } from './site.ts';

const RESOURCE = 'resource "terraform_data" "app" {}\n';
const STATUS = 'lockkeeper/acme';

describe('pull requests of a Gitea server', () => {
  let site: Site;
  let tokenId: string;

  beforeAll(async () => {
    site = await Site.start();
    ({ tokenId } = await site.connect(site.gitea.token));
  }, START_MS);
  afterAll(() => site?.stop());

  /** Creates a repository, and a workspace that has planned its first commit. */
  async function followed(name: string, attributes: object = {}) {
    const copy = await site.repository(name);
    const workspace = await site.follow(copy, tokenId, attributes);
    await site.started(workspace, ['first']);
    await site.hooked(copy);
    return { copy, workspace };
  }

  const change = async (copy: WorkingCopy, branch: string) => {
    await copy.git('checkout', '--quiet', '-b', branch, 'main');
    const id = await copy.commit({ 'app.tf': RESOURCE }, `on ${branch}`);
    await copy.push(branch);
    return id;
  };

  const statusOf = async ({ fullName }: WorkingCopy, commitId: string) => {
    const { statuses } = await site.gitea.api('GET', `/repos/${fullName}/commits/${commitId}/status`);
    const found = statuses?.find(({ context }: { context: string }) => context === STATUS);
    return found && `${found.status}: ${found.description}`;
  };

  it('are planned, and the plan is in a status and a comment', async () => {
    const { copy, workspace } = await followed('planned', EXECUTED);
    const commitId = await change(copy, 'feature');
    const number = await copy.openPull('feature');
    await site.started(workspace, ['first', 'on feature']);
    const [, run] = await site.runs(workspace);
    expect(run?.isSpeculative).toBe(true);
    const ingress = await site.ask('GET', `/configuration-versions/${run?.configurationId}/ingress-attributes`);
    expect(ingress.attributes).toMatchObject({
      ...{ branch: 'feature', 'commit-sha': commitId, 'is-pull-request': true, 'pull-request-number': number },
      'pull-request-url': `${site.gitea.address}/acme/planned/pulls/${number}`,
    });
    await expect
      .poll(() => statusOf(copy, commitId), PATIENCE)
      .toBe('success: Plan: 1 to add, 0 to change, 0 to destroy');
    const comments = () => site.gitea.api('GET', `/repos/acme/planned/issues/${number}/comments`);
    await expect.poll(comments, PATIENCE).toMatchObject([{ body: expect.stringContaining('terraform_data.app') }]);
    // Gitea checks first whether it can merge.
    const merge = () =>
      site.gitea.api('POST', `/repos/acme/planned/pulls/${number}/merge`, { Do: 'merge' }).then(() => 'merged', String);
    await expect.poll(merge, PATIENCE).toBe('merged');
    await expect.poll(async () => (await site.runs(workspace)).length, PATIENCE).toBe(3);
    const merged = (await site.runs(workspace)).at(-1);
    expect(merged).toMatchObject({ isSpeculative: false, message: expect.stringContaining('Merge pull request') });
    await expect.poll(comments, PATIENCE).toMatchObject([{ body: expect.stringContaining('(closed)') }]);
  });

  it('with new commits cancel the run of the older one, and closed ones cancel the last', async () => {
    const { copy, workspace } = await followed('renewed');
    await change(copy, 'feature');
    const number = await copy.openPull('feature');
    await site.started(workspace, ['first', 'on feature']);
    const commitId = await copy.commit({ 'app.tf': `${RESOURCE}# 2\n` }, 'better');
    await copy.push('feature');
    await site.started(workspace, ['first', 'on feature', 'better']);
    const states = async () => (await site.runs(workspace)).slice(1).map(({ status }) => status);
    await expect.poll(states, PATIENCE).toEqual(['canceled', 'plan_queued']);
    await expect.poll(() => statusOf(copy, commitId), PATIENCE).toMatch(/^pending: /);
    await site.gitea.api('PATCH', `/repos/acme/renewed/pulls/${number}`, { state: 'closed' });
    await expect.poll(states, PATIENCE).toEqual(['canceled', 'canceled']);
  });

  it('from forks, and of people without write access, start no run', async () => {
    const { copy, workspace } = await followed('open');
    const eve = await site.gitea.createUser('eve', ['write:repository', 'write:issue']);
    await site.gitea.api('PUT', '/repos/acme/open/collaborators/eve', { permission: 'read' });
    const asEve = async (path: string, body: object) => {
      const headers = { authorization: `token ${eve}`, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      // Gitea reads new branches, and copies a repository, a while after the request.
      const status = async () => (await fetch(site.gitea.apiUrl + path, sent)).status;
      await expect.poll(status, PATIENCE).toBeLessThan(300);
    };
    await asEve('/repos/acme/open/forks', {});
    await copy.git('checkout', '--quiet', '-b', 'evil', 'main');
    const evilId = await copy.commit({ 'evil.tf': RESOURCE }, 'evil');
    const credential = { username: 'eve', password: eve };
    const push = (fullName: string, refs: string) =>
      site.gitea.git(copy.folder, 'push', '--quiet', site.gitea.cloneUrl(fullName, credential), refs);
    await push('eve/open', 'evil');
    await asEve('/repos/acme/open/pulls', { head: 'eve:evil', base: 'main', title: 'Fork' });
    await expect.poll(() => site.verdicts(workspace), PATIENCE).toContain('evil: fork-never');
    // The commit can be read in the repository itself by its id, which is no proof of its origin.
    expect((await site.gitea.api('GET', `/repos/acme/open/git/commits/${evilId}`)).sha).toBe(evilId);
    // AGit: a user with read access pushes a commit that becomes a pull request.
    await copy.commit({ 'evil.tf': `${RESOURCE}# 2\n` }, 'worse');
    await push('acme/open', 'HEAD:refs/for/main/agit');
    const forks = async () => (await site.verdicts(workspace)).filter((verdict) => verdict.endsWith(': fork-never'));
    await expect.poll(async () => (await forks()).length, PATIENCE).toBe(2);
    await site.started(workspace, ['first']);
  });
});
