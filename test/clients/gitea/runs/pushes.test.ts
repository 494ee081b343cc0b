import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXECUTED, PATIENCE, Site, START_MS, type WorkingCopy } from './site.ts';

describe('pushes to a Gitea server', () => {
  let site: Site;
  let clientId: string;
  let tokenId: string;

  beforeAll(async () => {
    site = await Site.start();
    ({ clientId, tokenId } = await site.connect(site.gitea.token));
  }, START_MS);
  afterAll(async () => {
    await site?.stop();
  });

  /** Waits until a commit has a run in the queue. */
  async function queued(workspaceId: string, message: string): Promise<void> {
    for (;;) {
      const run = (await site.runs(workspaceId)).at(-1);
      if (run?.message === message && run.status !== 'pending') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('start a run that says who pushed what', async () => {
    const copy = await site.repository('pushed');
    const workspace = await site.follow(copy, tokenId, EXECUTED);
    await site.started(workspace, ['first']);
    await site.hooked(copy);
    const before = await copy.git('rev-parse', 'HEAD');
    const id = await copy.commit({ 'main.tf': '# 2\n' }, 'second\n\nbody');
    await copy.push('main');
    await queued(workspace, 'second');
    await copy.push('main:feature/other');
    await site.started(workspace, ['first', 'second']);
    const [, run] = await site.runs(workspace);
    const ingress = await site.ask('GET', `/configuration-versions/${run?.configurationId}/ingress-attributes`);
    const url = `${site.gitea.address}/acme/pushed`;
    expect(ingress.attributes).toMatchObject({
      ...{ branch: 'main', 'commit-sha': id, 'commit-message': 'second\n\nbody', identifier: 'acme/pushed' },
      ...{ 'commit-url': `${url}/commit/${id}`, 'compare-url': `${url}/compare/${before}...${id}` },
      ...{ 'sender-username': 'boss', 'is-pull-request': false, 'on-default-branch': true },
    });
    const { attributes } = await site.ask('GET', `/workspaces/${workspace}`);
    expect(attributes['vcs-repo']).toMatchObject({
      ...{ 'repository-http-url': url, 'service-provider': 'gitea', 'display-identifier': 'acme/pushed' },
      'webhook-url': expect.stringContaining(`${site.front.address}/webhooks/vcs/`),
    });
    for (const [index, word] of ['third', 'fourth', 'fifth', 'sixth'].entries()) {
      await copy.commit({ 'main.tf': `# ${index + 3}\n` }, word);
      await copy.push('main');
      await queued(workspace, word);
    }
  });

  it('of an annotated tag start a run of its commit where the expression matches', async () => {
    const copy = await site.repository('tagged');
    const settings = { 'file-triggers-enabled': false };
    const releases = await site.follow(copy, tokenId, settings, { 'tags-regex': '^v\\d+\\.\\d+$' });
    await site.hooked(copy);
    await expect.poll(async () => (await site.known(clientId, copy))?.['webhook-state'], PATIENCE).toBe('made');
    await copy.commit({ 'main.tf': '# 2\n' }, 'release');
    await copy.git('tag', '--annotate', '--message', 'one', 'v1.0');
    await copy.git('tag', 'latest');
    await copy.push('main', 'v1.0', 'latest');
    await expect
      .poll(async () => (await site.verdicts(releases)).toSorted(), PATIENCE)
      .toEqual(['latest: other-tag', 'main: tags-only', 'v1.0: tag']);
    await site.started(releases, ['release']);
  });

  it('are compared file by file: forced ones, merges, and deleted branches', async () => {
    const copy = await site.repository('compared');
    await copy.push('main:next');
    const followed = { branch: 'next' };
    const net = await site.follow(copy, tokenId, { 'working-directory': 'net' }, followed);
    const app = await site.follow(copy, tokenId, { 'trigger-patterns': ['/app/**/*.tf'] }, followed);
    await site.started(net, ['first']);
    await site.started(app, ['first']);
    await site.hooked(copy);
    await copy.git('checkout', '--quiet', '-b', 'next');
    await copy.commit({ 'net/main.tf': '# 2\n' }, 'net');
    await copy.push('next');
    await site.started(net, ['first', 'net']);

    // The new commit changes app alone; the commit that it replaces had changed net.
    await copy.git('reset', '--quiet', '--hard', 'HEAD~1');
    await copy.commit({ 'app/main.tf': '# 3\n' }, 'forced');
    await copy.push('--force', 'next');
    await site.started(app, ['first', 'forced']);
    await site.started(net, ['first', 'net', 'forced']);

    await copy.git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    await copy.commit({ 'net/side.tf': '# 4\n' }, 'side');
    await copy.git('checkout', '--quiet', 'next');
    await copy.git('merge', '--quiet', '--no-ff', '--message', 'merged', 'side');
    await copy.push('next');
    await site.started(net, ['first', 'net', 'forced', 'merged']);

    await copy.push(':next');
    await expect
      .poll(async () => (await site.verdicts(app)).slice(0, 2), PATIENCE)
      .toEqual(['next: branch-deleted', 'next: other-files']);
    await site.started(app, ['first', 'forced']);
  });

  it('are found under the new name of a repository, and not under its old one', async () => {
    const copy = await site.repository('before');
    const workspace = await site.follow(copy, tokenId);
    await site.started(workspace, ['first']);
    await site.hooked(copy);
    await site.gitea.api('PATCH', '/repos/acme/before', { name: 'after' });
    copy.fullName = 'acme/after';
    await copy.commit({ 'main.tf': '# 2\n' }, 'renamed');
    await copy.push('main');
    await site.started(workspace, ['first', 'renamed']);
    expect((await site.known(clientId, copy)).health).toBe('ok');

    const other: WorkingCopy = await site.repository('before');
    await other.commit({ 'main.tf': '# stranger\n' }, 'stranger');
    await other.push('main');
    await site.ask('POST', `/workspaces/${workspace}/actions/look-up`);
    await copy.commit({ 'main.tf': '# 3\n' }, 'still ours');
    await copy.push('main');
    await site.started(workspace, ['first', 'renamed', 'still ours']);
  });
});
